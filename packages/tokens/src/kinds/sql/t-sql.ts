// Scripts for SQL Server, which everybody may use. They touch a path on the token's host, whose name says who did what.
import type { ACTIONS } from './payload.ts'

export interface SqlServerObject {
  readonly hostname: string
  readonly schema: string
  readonly name: string
  readonly columns: readonly string[]
}

/** The longest path that xp_fileexist of every version takes. */
const PATH_CHARACTERS = 128
const PATH_WITHOUT_DATA = '\\\\.00.\\a'.length
const LABEL_CHARACTERS = 63
const IDENTIFIER_CHARACTERS = 128
const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567'

/** A function of a table, and a view that reads it. */
export function viewScript({ hostname, schema, name, columns }: SqlServerObject): string {
  const own = quoted(schema, `fn_${name}`)
  const view = quoted(schema, name)
  return script(
    [
      `CREATE FUNCTION ${own}()`,
      `RETURNS @rows TABLE (${columnsOf(columns)})`,
      'WITH ENCRYPTION AS',
      'BEGIN',
      ...lookUp(hostname, text('s')),
      '  RETURN;',
      'END;',
    ],
    [`CREATE VIEW ${view} AS SELECT * FROM ${own}();`],
    [`GRANT SELECT ON ${view} TO [public];`],
  )
}

/** A function of one value. */
export function functionScript({ hostname, schema, name }: Omit<SqlServerObject, 'columns'>): string {
  const own = quoted(schema, `get_${name}`)
  return script(
    [
      `CREATE FUNCTION ${own}()`,
      'RETURNS nvarchar(255)',
      'WITH ENCRYPTION AS',
      'BEGIN',
      ...lookUp(hostname, text('e')),
      '  RETURN NULL;',
      'END;',
    ],
    [`GRANT EXECUTE ON ${own} TO [public];`],
  )
}

/** `name` is that of a table that exists. */
export const triggerScript = ({ hostname, schema, name }: Omit<SqlServerObject, 'columns'>): string =>
  script([
    `CREATE TRIGGER ${quoted(schema, `log_${name}`)} ON ${quoted(schema, name)}`,
    'WITH ENCRYPTION',
    'AFTER INSERT, UPDATE, DELETE AS',
    'BEGIN',
    '  SET NOCOUNT ON;',
    '  DECLARE @inserted bit = 0, @deleted bit = 0;',
    '  IF EXISTS (SELECT * FROM inserted) SET @inserted = 1;',
    '  IF EXISTS (SELECT * FROM deleted) SET @deleted = 1;',
    ...lookUp(
      hostname,
      `CASE WHEN @inserted = 1 AND @deleted = 1 THEN ${text('u')} WHEN @inserted = 1 THEN ${text('i')} WHEN @deleted = 1 THEN ${text('d')} ELSE ${text('n')} END`,
    ),
    'END;',
  ])

/** Variables are those of SQL Server 2008 and later. A function may call extended procedures, and neither RAND nor NEWID. */
function lookUp(hostname: string, action: string): string[] {
  const label = Math.min(LABEL_CHARACTERS, PATH_CHARACTERS - PATH_WITHOUT_DATA - hostname.length)
  // The end of a long name is the user, behind the domain.
  const userCharacters = Math.floor((label * 5) / 8) - 1
  return [
    `  DECLARE @text nvarchar(${userCharacters + 1}) = ${action} + RIGHT(ORIGINAL_LOGIN(), ${userCharacters});`,
    `  DECLARE @label varchar(${LABEL_CHARACTERS}) = '', @at int = 1, @bits int = 0, @value int = 0, @code int, @found int;`,
    '  WHILE @at <= LEN(@text)',
    '  BEGIN',
    '    SET @code = UNICODE(SUBSTRING(@text, @at, 1));',
    // What is not ASCII becomes a question mark.
    '    SET @value = @value * 256 + CASE WHEN @code > 126 THEN 63 ELSE @code END;',
    '    SET @bits = @bits + 8;',
    '    WHILE @bits >= 5',
    '    BEGIN',
    '      SET @bits = @bits - 5;',
    `      SET @label = @label + SUBSTRING('${BASE32}', @value / POWER(2, @bits) % 32 + 1, 1);`,
    '    END;',
    '    SET @value = @value % POWER(2, @bits);',
    '    SET @at = @at + 1;',
    '  END;',
    '  IF @bits > 0',
    `    SET @label = @label + SUBSTRING('${BASE32}', @value * POWER(2, 5 - @bits) + 1, 1);`,
    // A resolver's cache does not know the name.
    "  DECLARE @digits varchar(3) = RIGHT('0' + CAST(DATEPART(millisecond, SYSDATETIME()) / 10 AS varchar(2)), 2);",
    `  DECLARE @path varchar(${PATH_CHARACTERS}) = '\\\\' + @label + '.' + @digits + '.${hostname}\\a';`,
    '  EXEC master.dbo.xp_fileexist @path, @found OUTPUT;',
  ]
}

const columnsOf = (columns: readonly string[]): string =>
  ['[id] int', ...columns.map((column) => `[${column}] nvarchar(255)`)].join(', ')

const text = (action: keyof typeof ACTIONS): string => `N'${action}'`

const quoted = (...identifiers: readonly string[]): string =>
  identifiers.map((it) => `[${it.slice(0, IDENTIFIER_CHARACTERS).trimEnd().replaceAll(']', ']]')}]`).join('.')

/** Each batch ends in GO. */
const script = (...batches: readonly (readonly string[])[]): string =>
  batches.map((lines) => `${lines.join('\n')}\nGO\n`).join('')
