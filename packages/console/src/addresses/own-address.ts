// Whether an address or a host is this machine's own.
import { networkInterfaces } from 'node:os'
import { readAddress, readRange, openAddressSet } from './address-set.ts'

const loopback = openAddressSet()
for (const range of ['127.0.0.0/8', '::1']) {
  const read = readRange(range)
  if (read) loopback.add(read)
}

/** `localhost`, names below it (RFC 6761, 6.3), and addresses of loopback. */
export function isLoopbackHost(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[|\]$|\.$/g, '')
  const address = readAddress(name)
  return address === undefined ? /(^|\.)localhost$/.test(name) : loopback.has(address)
}

/** Loopback, or of one of its interfaces; asks the system. */
export function isOwnAddress(address: string): boolean {
  const read = readAddress(address)
  if (read === undefined) return false
  if (loopback.has(read)) return true
  return Object.values(networkInterfaces()).some((entries) => entries?.some((it) => it.address === address))
}
