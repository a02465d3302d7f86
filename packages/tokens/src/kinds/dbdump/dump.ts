// A database as mariadb-dump writes it with --databases.
import type { Database, Table, Value } from './database.ts'

const HEAD = [
  'SET @OLD_CHARACTER_SET_CLIENT=@@CHARACTER_SET_CLIENT',
  'SET @OLD_CHARACTER_SET_RESULTS=@@CHARACTER_SET_RESULTS',
  'SET @OLD_COLLATION_CONNECTION=@@COLLATION_CONNECTION',
  'SET NAMES utf8mb4',
]
/** Version of MySQL from which a statement counts, and the statement. */
const SETTINGS = [
  ...HEAD.map((statement) => [40101, statement]),
  [40103, 'SET @OLD_TIME_ZONE=@@TIME_ZONE'],
  [40103, "SET TIME_ZONE='+00:00'"],
  [40014, 'SET @OLD_UNIQUE_CHECKS=@@UNIQUE_CHECKS, UNIQUE_CHECKS=0'],
  [40014, 'SET @OLD_FOREIGN_KEY_CHECKS=@@FOREIGN_KEY_CHECKS, FOREIGN_KEY_CHECKS=0'],
  [40101, "SET @OLD_SQL_MODE=@@SQL_MODE, SQL_MODE='NO_AUTO_VALUE_ON_ZERO'"],
  [40111, 'SET @OLD_SQL_NOTES=@@SQL_NOTES, SQL_NOTES=0'],
]
const RESTORED = [
  [40101, 'SET SQL_MODE=@OLD_SQL_MODE'],
  [40014, 'SET FOREIGN_KEY_CHECKS=@OLD_FOREIGN_KEY_CHECKS'],
  [40014, 'SET UNIQUE_CHECKS=@OLD_UNIQUE_CHECKS'],
  [40101, 'SET CHARACTER_SET_CLIENT=@OLD_CHARACTER_SET_CLIENT'],
  [40101, 'SET CHARACTER_SET_RESULTS=@OLD_CHARACTER_SET_RESULTS'],
  [40101, 'SET COLLATION_CONNECTION=@OLD_COLLATION_CONNECTION'],
  [40111, 'SET SQL_NOTES=@OLD_SQL_NOTES'],
]
/** Of Debian 12 until March 2025. Later ones begin with a line that older clients refuse. */
const VERSION = '10.11.6-MariaDB'

/** `last` are statements that run once all rows are there. */
export const dumpText = ({ name, tables, dumpedAt }: Database, last: readonly string[]): string =>
  [
    `-- MariaDB dump 10.19  Distrib ${VERSION}, for debian-linux-gnu (x86_64)`,
    '--',
    `-- Host: localhost    Database: ${name}`,
    '-- ------------------------------------------------------',
    `-- Server version\t${VERSION}-0+deb12u1`,
    '',
    ...conditional(SETTINGS),
    '',
    ...heading(`Current Database: \`${name}\``),
    `CREATE DATABASE /*!32312 IF NOT EXISTS*/ \`${name}\` /*!40100 DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci */;`,
    '',
    `USE \`${name}\`;`,
    ...tables.flatMap(tableLines),
    ...conditional([[40103, 'SET TIME_ZONE=@OLD_TIME_ZONE']]),
    '',
    ...conditional(RESTORED),
    '',
    ...heading('Position to start replication from'),
    ...last,
    '',
    `-- Dump completed on ${dumpedAt.replace(' 0', '  ')}`,
    '',
  ].join('\n')

const conditional = (statements: readonly (readonly (string | number)[])[]): string[] =>
  statements.map(([version, statement]) => `/*!${version} ${statement} */;`)

const heading = (text: string): string[] => ['--', `-- ${text}`, '--', '']

const tableLines = ({ name, columns, rows }: Table): string[] => [
  '',
  ...heading(`Table structure for table \`${name}\``),
  `DROP TABLE IF EXISTS \`${name}\`;`,
  '/*!40101 SET @saved_cs_client     = @@character_set_client */;',
  '/*!40101 SET character_set_client = utf8 */;',
  `CREATE TABLE \`${name}\` (`,
  columns.map((column) => `  ${column}`).join(',\n'),
  `) ENGINE=InnoDB AUTO_INCREMENT=${rows.length + 1} DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;`,
  '/*!40101 SET character_set_client = @saved_cs_client */;',
  '',
  ...heading(`Dumping data for table \`${name}\``),
  `LOCK TABLES \`${name}\` WRITE;`,
  `/*!40000 ALTER TABLE \`${name}\` DISABLE KEYS */;`,
  `INSERT INTO \`${name}\` VALUES`,
  `${rows.map((row) => `(${row.map(literal).join(',')})`).join(',\n')};`,
  `/*!40000 ALTER TABLE \`${name}\` ENABLE KEYS */;`,
  'UNLOCK TABLES;',
]

function literal(value: Value): string {
  if (value === null) return 'NULL'
  if (typeof value === 'object') return value.decimal
  return typeof value === 'number' ? String(value) : `'${value.replace(/['\\]/g, '\\$&')}'`
}
