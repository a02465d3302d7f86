import { networkInterfaces } from 'node:os'
import { expect, it } from 'vitest'
import { isLoopbackHost, isOwnAddress } from './own-address.ts'

it('an address of loopback or of an interface is this machine, any other is not', () => {
  const own = Object.values(networkInterfaces()).flatMap((entries) => entries?.map((it) => it.address) ?? [])
  for (const address of ['127.0.0.1', '127.9.9.9', '::1', ...own])
    expect(isOwnAddress(address), address).toBe(true)
  for (const address of ['192.0.2.7', '2001:db8::7', '', 'host'])
    expect(isOwnAddress(address), address).toBe(false)
})

it('a host of loopback is known by its name and by its address', () => {
  for (const host of ['localhost', 'Tokens.Localhost.', '127.0.0.1', '[::1]', '::1'])
    expect(isLoopbackHost(host), host).toBe(true)
  for (const host of ['localhost.example.com', 'mylocalhost', '192.0.2.7', '[2001:db8::1]'])
    expect(isLoopbackHost(host), host).toBe(false)
})
