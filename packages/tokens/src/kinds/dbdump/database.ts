// What the dump holds: a made-up database of a company, whose users and settings an intruder wants to see.
import type { Draws } from '../../draws.ts'
import { PEOPLE, SITES } from '../../pretexts/people.data.ts'
import { pastMoment } from '../../pretexts/past-moment.ts'

export type Value = string | number | null | { readonly decimal: string }

export interface Table {
  readonly name: string
  /** As CREATE TABLE has them; the first one is an id that counts from 1. */
  readonly columns: readonly string[]
  readonly rows: readonly (readonly Value[])[]
}

export interface Database {
  readonly name: string
  /** In the order of their names. */
  readonly tables: readonly Table[]
  /** `YYYY-MM-DD hh:mm:ss` */
  readonly dumpedAt: string
}

const ID = '`id` int(10) unsigned NOT NULL AUTO_INCREMENT'
const KEY = 'PRIMARY KEY (`id`)'
const SUBJECTS = ['crm', 'shop', 'billing', 'portal', 'intranet', 'members'] as const
const SUFFIXES = ['prod', 'live', 'main', 'old', 'archive'] as const
const LAST_NAMES = [
  "O'Brien",
  'Schröder',
  'Núñez',
  'Lefèvre',
  'Kowalski',
  'Larsen',
  'Hughes',
  'Baker',
] as const
const STATUSES = ['open', 'paid', 'paid', 'shipped', 'shipped', 'cancelled'] as const
const ROLES = ['user', 'user', 'editor', 'manager', 'admin'] as const
const BASE64 = './ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const PASSWORD = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghjkmnpqrstuvwxyz23456789!$%#'

/** Days on which Debian's stable release had the version that the dump names. */
const DUMPED = ['2024-02-15', '2025-02-24'] as const
const DAY_MS = 86_400_000
/** No row is older than this, or newer than the day before the dump. */
const OLDEST_DAYS = 900

export function newDatabase(draws: Draws): Database {
  const subject = draws.pick(SUBJECTS)
  const domain = `${subject}-${draws.text('abcdefghkmnprstuvw', 4)}.example`
  const customers = draws.integer(180, 420)
  const dumpedAt = pastMoment(draws, ...DUMPED)
  const days: Days = [dayBefore(dumpedAt, OLDEST_DAYS), dayBefore(dumpedAt, 1)]
  return {
    name: `${subject}_${draws.pick(SUFFIXES)}_${draws.integer(100, 9_999)}`,
    tables: [
      customersTable(draws, customers, days),
      ordersTable(draws, customers, days),
      settingsTable(draws, domain),
      usersTable(draws, domain, days),
    ],
    dumpedAt: sqlMoment(dumpedAt),
  }
}

/** The first and the last one on which rows were written. */
type Days = readonly [first: string, last: string]

const dayBefore = (moment: string, days: number): string =>
  new Date(Date.parse(moment) - days * DAY_MS).toISOString().slice(0, 10)

function customersTable(draws: Draws, count: number, days: Days): Table {
  const joinedAt = moments(draws, count, days)
  return {
    name: 'customers',
    columns: [
      ID,
      '`first_name` varchar(64) NOT NULL',
      '`last_name` varchar(64) NOT NULL',
      '`email` varchar(190) NOT NULL',
      '`phone` varchar(32) DEFAULT NULL',
      '`city` varchar(64) NOT NULL',
      '`created_at` datetime NOT NULL',
      KEY,
      'UNIQUE KEY `email` (`email`)',
    ],
    rows: joinedAt.map((at, index) => {
      const [first, last] = personOf(draws)
      const email = `${mailbox(first, last)}${index + 1}@example.com`
      const phone = draws.integer(0, 3) === 0 ? null : `+49 30 ${draws.integer(1_000_000, 9_999_999)}`
      return [index + 1, first, last, email, phone, draws.pick(SITES), at]
    }),
  }
}

function ordersTable(draws: Draws, customers: number, days: Days): Table {
  const orderedAt = moments(draws, draws.integer(300, 700), days)
  return {
    name: 'orders',
    columns: [
      ID,
      '`customer_id` int(10) unsigned NOT NULL',
      '`total` decimal(10,2) NOT NULL',
      '`currency` char(3) NOT NULL',
      "`status` enum('open','paid','shipped','cancelled') NOT NULL DEFAULT 'open'",
      '`created_at` datetime NOT NULL',
      KEY,
      'KEY `customer_id` (`customer_id`)',
    ],
    rows: orderedAt.map((at, index) => [
      index + 1,
      draws.integer(1, customers),
      { decimal: `${draws.integer(4, 2_400)}.${draws.integer(10, 99)}` },
      draws.pick(['EUR', 'EUR', 'EUR', 'GBP', 'USD']),
      draws.pick(STATUSES),
      at,
    ]),
  }
}

function usersTable(draws: Draws, domain: string, days: Days): Table {
  const joinedAt = moments(draws, draws.integer(14, 36), days)
  return {
    name: 'users',
    columns: [
      ID,
      '`username` varchar(64) NOT NULL',
      '`email` varchar(190) NOT NULL',
      '`password_hash` char(60) NOT NULL',
      '`role` varchar(16) NOT NULL',
      '`last_login` datetime DEFAULT NULL',
      KEY,
      'UNIQUE KEY `username` (`username`)',
    ],
    rows: joinedAt.map((at, index) => {
      const [first, last] = personOf(draws)
      const name = index === 0 ? 'admin' : `${mailbox(first, last)}${index}`
      const hash = `$2y$10$${draws.text(BASE64, 53)}`
      const role = index === 0 ? 'admin' : draws.pick(ROLES)
      return [index + 1, name, `${name}@${domain}`, hash, role, draws.integer(0, 4) === 0 ? null : at]
    }),
  }
}

function settingsTable(draws: Draws, domain: string): Table {
  const settings: [name: string, value: string][] = [
    ['base_url', `https://www.${domain}/`],
    ['smtp_host', `mail.${domain}`],
    ['smtp_user', `noreply@${domain}`],
    ['smtp_password', draws.text(PASSWORD, 14)],
    ['backup_target', `\\\\nas${draws.integer(1, 4)}\\backup$`],
    ['backup_password', draws.text(PASSWORD, 16)],
    ['maintenance', '0'],
  ]
  return {
    name: 'settings',
    columns: [ID, '`name` varchar(64) NOT NULL', '`value` text NOT NULL', KEY, 'UNIQUE KEY `name` (`name`)'],
    rows: settings.map(([name, value], index) => [index + 1, name, value]),
  }
}

/** In the order of time. */
const moments = (draws: Draws, count: number, days: Days): string[] =>
  Array.from({ length: count }, () => sqlMoment(pastMoment(draws, ...days))).sort()

const sqlMoment = (moment: string): string => moment.replace('T', ' ').replace('Z', '')

function personOf(draws: Draws): [first: string, last: string] {
  const [first = '', last = ''] = draws.pick(PEOPLE).split(' ')
  return draws.integer(0, 3) === 0 ? [first, draws.pick(LAST_NAMES)] : [first, last]
}

const mailbox = (first: string, last: string): string =>
  `${first}.${last}`
    .normalize('NFD')
    .replace(/[^A-Za-z.]/g, '')
    .toLowerCase()
