// The configuration that a router keeps: of the machine's story, and with passwords that nobody has.
import { draw, type Derive } from '../../machine/draw.ts'
import { gatewayFirmware, LAN, lanAddress, LINE, networkOf, SESSION } from '../../machine/gateway.ts'
import type { Story } from '../../machine/story.ts'

const LETTERS = [...'./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz']
const DAY_MS = 86_400_000

/** `asked`: the address of its own that it was asked at. */
export function startupConfig(
  { hostName, users, installedAt }: Story,
  asked: string,
  derive: Derive,
): string {
  const { pick, between } = draw(derive, 'tftp/startup-config')
  const letters = (length: number, from = LETTERS): string =>
    Array.from({ length }, () => pick(from)).join('')
  /** As crypt(3) writes MD5: of no password. */
  const secret = (): string => `$1$${letters(4)}$${letters(21)}${letters(1, LETTERS.slice(0, 4))}`
  const { kernel, build } = gatewayFirmware(derive)
  const inside = lanAddress(asked, derive)
  const changedAt = new Date(installedAt + between(1, 40) * DAY_MS).toUTCString()
  const [, day, date, month, year, time] = /^(\w+), (\d+) (\w+) (\d+) (\S+)/.exec(changedAt)!
  return `!
! VDSL Gateway, Linux ${kernel} ${build}
! Last configuration change at ${time} UTC ${day} ${month} ${date} ${year} by ${users[0]}
!
hostname ${hostName}
!
enable secret 5 ${secret()}
!
no ip domain lookup
!
${users
  .slice(0, 2)
  .map((user) => `username ${user} privilege 15 secret 5 ${secret()}\n`)
  .join('')}!
interface ${LINE}
 description uplink
 no ip address
 pppoe-client dial ${SESSION}
!
interface ${SESSION}
 ip address negotiated
 mtu 1492
 ip nat outside
!
interface ${LAN}
 ip address ${inside} 255.255.255.0
 ip nat inside
!
ip nat inside source list 10 interface ${SESSION} overload
ip route 0.0.0.0 0.0.0.0 ${SESSION}
!
access-list 10 permit ${networkOf(inside)} 0.0.0.255
!
snmp-server community public ro
snmp-server contact root
snmp-server location Unknown
!
line vty 0 4
 access-class 10 in
 login local
 transport input telnet
!
end
`
}
