// Who a Debian machine with Samba knows: users and groups of the system, and those of Samba itself.
import { byWord } from '@rookery/kernel/by-word.ts'
import type { SambaMachine } from './machine.ts'

/** The account of the installation, which does not use the shares. */
export const ADMIN = 'admin'

/** Of base-passwd and of the packages that a server has. */
const SYSTEM_USERS = byWord<number>({
  root: 0,
  daemon: 1,
  bin: 2,
  sys: 3,
  sync: 4,
  games: 5,
  man: 6,
  lp: 7,
  mail: 8,
  news: 9,
  uucp: 10,
  proxy: 13,
  'www-data': 33,
  backup: 34,
  list: 38,
  irc: 39,
  _apt: 42,
  messagebus: 100,
  sshd: 101,
  'systemd-timesync': 997,
  'systemd-network': 998,
  nobody: 65_534,
})

const SYSTEM_GROUPS = byWord<number>({
  root: 0,
  daemon: 1,
  bin: 2,
  sys: 3,
  adm: 4,
  tty: 5,
  disk: 6,
  lp: 7,
  mail: 8,
  news: 9,
  uucp: 10,
  man: 12,
  proxy: 13,
  kmem: 15,
  dialout: 20,
  fax: 21,
  voice: 22,
  cdrom: 24,
  floppy: 25,
  tape: 26,
  sudo: 27,
  audio: 29,
  dip: 30,
  'www-data': 33,
  backup: 34,
  operator: 37,
  list: 38,
  irc: 39,
  src: 40,
  shadow: 42,
  utmp: 43,
  video: 44,
  sasl: 45,
  plugdev: 46,
  staff: 50,
  games: 60,
  users: 100,
  sambashare: 104,
  'systemd-timesync': 997,
  'systemd-network': 998,
  nogroup: 65_534,
})

const ADMIN_ID = 1_000

/** Each with a group of its own name and number, as adduser makes them. */
const people = ({ users }: Pick<SambaMachine, 'users'>): Readonly<Record<string, number>> =>
  Object.fromEntries([ADMIN, ...users].map((name, i) => [name, ADMIN_ID + i]))

type Numbers = Readonly<Record<string, number>>

/** The names and numbers of `/etc/passwd`. */
export const unixUsers = (machine: Pick<SambaMachine, 'users'>): Numbers => ({
  ...SYSTEM_USERS,
  ...people(machine),
})

/** The names and numbers of `/etc/group`. */
export const unixGroups = (machine: Pick<SambaMachine, 'users'>): Numbers => ({
  ...SYSTEM_GROUPS,
  ...people(machine),
})

/** Of the first account in Samba's own database. */
const FIRST_RID = 1_000
/** The account of guests, and the group that every account is in. */
export const NOBODY = { name: 'nobody', rid: 501 }
export const NONE = { name: 'None', rid: 513 }

/** The accounts of Samba's database, by relative id. */
export const sambaUsers = ({
  users,
}: Pick<SambaMachine, 'users'>): readonly { name: string; rid: number }[] =>
  users.map((name, i) => ({ name, rid: FIRST_RID + i }))

export const isSameName = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()
