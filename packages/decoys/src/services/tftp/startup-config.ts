// The configuration that a router keeps on a TFTP server: of the machine's story, and with passwords that nobody has.
import { draw, type Derive } from '../../machine/draw.ts'
import type { Story } from '../../machine/story.ts'

const LETTERS = [...'./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz']

/** `address` is its own. */
export function startupConfig({ hostName, users }: Story, address: string, derive: Derive): string {
  const { pick, between } = draw(derive, 'tftp/startup-config')
  const letters = (length: number, from = LETTERS): string =>
    Array.from({ length }, () => pick(from)).join('')
  /** As crypt(3) writes MD5: of no password. */
  const secret = (): string => `$1$${letters(4)}$${letters(21)}${letters(1, LETTERS.slice(0, 4))}`
  const isIpv4 = /^\d+(\.\d+){3}$/.test(address)
  const inside = isIpv4 ? address : '10.0.0.254'
  const network = inside.replace(/\d+$/, '0')
  const outside = `10.${between(16, 250)}.${between(0, 250)}`
  return `!
! Last configuration change at 07:4${between(0, 9)}:1${between(0, 9)} UTC Mon Mar ${between(10, 28)} 2025 by ${users[0]}
!
version 15.7
service timestamps debug datetime msec
service timestamps log datetime msec
no service password-encryption
!
hostname ${hostName}
!
enable secret 5 ${secret()}
!
no aaa new-model
ip cef
no ip domain lookup
!
${users
  .slice(0, 2)
  .map((user) => `username ${user} privilege 15 secret 5 ${secret()}\n`)
  .join('')}!
interface GigabitEthernet0/0
 description uplink
 ip address ${outside}.2 255.255.255.252
 ip nat outside
 duplex auto
 speed auto
!
interface GigabitEthernet0/1
 ip address ${inside} 255.255.255.0
 ip nat inside
 duplex auto
 speed auto
!
ip nat inside source list 10 interface GigabitEthernet0/0 overload
ip route 0.0.0.0 0.0.0.0 ${outside}.1
!
access-list 10 permit ${network} 0.0.0.255
!
line con 0
line vty 0 4
 access-class 10 in
 login local
 transport input ssh telnet
!
end
`
}
