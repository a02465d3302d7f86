import { LOOK_UP_KEYS } from '../../channels/dns/look-up-fields.ts'
import { describeKind } from '../../descriptor.ts'

/** The longest identifier of SQL Server; PostgreSQL cuts names at 63 bytes. */
const NAME = { maxLength: 128, characters: 'A-Za-z0-9_$ .-' } as const

export const descriptor = describeKind({
  kind: 'sql',
  name: 'Database view, function or trigger',
  shelf: 'Databases',
  keywords: ['sql', 'sql server', 'mssql', 't-sql', 'postgresql', 'postgres', 'view', 'trigger', 'function'],
  firedBy:
    'Somebody reads the view or the foreign table, calls the function, or changes the table with the trigger: the server looks the token up, and PostgreSQL logs in to it.',
  silencedBy:
    'It stays silent where the definition is only read, where the server neither resolves nor reaches the token host, and on SQL Server without the right to run xp_fileexist.',
  placement: [
    'Run the script in a database that holds personal data, under a name that an intruder reads first.',
    'Put the trigger on a table that only one job changes.',
  ],
  logtype: '17011',
  keys: ['sql_user', 'sql_action', 'database', ...LOOK_UP_KEYS],
  evidence: ['sql_user', 'sql_action', 'client_subnet'],
  meaning:
    'Somebody used the planted object as the user of the database that the event names. The source address is that of the database server; of a look-up, that of its resolver.',
  next: [
    'Ask the owner of the database account what they looked for.',
    'Look in the log of the server for the session of that account: its client address, and what else it read.',
    'If nobody can explain it, lock the account and change its password.',
  ],
  example: {
    needs: ['psql'],
    touch: 'psql "host=127.0.0.1 port={postgres} user=$(field decoytoken) dbname=crm"',
  },
  settings: {
    sql_name: {
      type: 'text',
      description: 'Name of the view, the function and the foreign table; without it Rookery chooses one',
      ...NAME,
    },
    sql_schema: {
      type: 'text',
      description: 'Schema, which exists; without it dbo on SQL Server and public on PostgreSQL',
      ...NAME,
    },
    sql_table: {
      type: 'text',
      description: 'Table of SQL Server whose changes fire a trigger; without it there is no trigger',
      ...NAME,
    },
  },
})
