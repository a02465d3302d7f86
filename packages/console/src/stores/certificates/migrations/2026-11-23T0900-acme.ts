import type { Migration } from '../../../db/migration.ts'

export const migration: Migration = ({ int, text, keyed }) => [
  `CREATE TABLE acme_account (
     directory ${text} PRIMARY KEY,
     contact TEXT NOT NULL,
     url TEXT NOT NULL,
     sealed_key TEXT NOT NULL
   ) ${keyed}`,
  `CREATE TABLE acme_certificate (
     domain ${text} PRIMARY KEY,
     chain TEXT NOT NULL,
     sealed_key TEXT NOT NULL,
     directory TEXT NOT NULL,
     failures ${int} NOT NULL,
     failed_at ${int} NOT NULL,
     reason TEXT NOT NULL,
     retry_at ${int} NOT NULL,
     tried TEXT NOT NULL
   ) ${keyed}`,
  `CREATE TABLE acme_challenge (value ${text} PRIMARY KEY, expires_at ${int} NOT NULL) ${keyed}`,
]
