// Kinds that are documents: opened as a user opens them, and looked at by tools that nobody here wrote.
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { run } from '../lib/command.ts'
import { download, type FiringDeps, type TokenProof } from './token-proof.ts'

const TEXT = 'txt:Text (encoded):UTF8'

/** A document of LibreOffice's own, with a heading, a table, a list and letters of three scripts. */
const SOURCE = `<?xml version="1.0" encoding="UTF-8"?>
<office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
 xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"
 office:version="1.2" office:mimetype="application/vnd.oasis.opendocument.text"><office:body><office:text>
<text:h text:outline-level="1">Quarterly report: é ü Ж 漢字</text:h><text:p>Terms &amp; conditions &lt;draft&gt;.</text:p>
<table:table><table:table-column/><table:table-row><table:table-cell><text:p>42</text:p></table:table-cell></table:table-row></table:table>
<text:list><text:list-item><text:p>one</text:p></text:list-item></text:list><text:p>The end.</text:p>
</office:text></office:body></office:document>`

/** Opens a document with LibreOffice and writes it in another format; answers the path. */
async function convert(file: string, to: string, { folder }: Pick<FiringDeps, 'folder'>): Promise<string> {
  const outdir = join(folder, 'converted')
  mkdirSync(outdir, { recursive: true })
  const { code, stderr } = await run(
    'soffice',
    ['--headless', '--convert-to', to, '--outdir', outdir, file],
    {
      env: { PATH: process.env['PATH'], HOME: folder },
      patienceMs: 60_000,
    },
  )
  assert.equal(code, 0, stderr)
  return join(outdir, basename(file).replace(/\.\w+$/, `.${to.split(':')[0]}`))
}

async function textOf(file: string, deps: Pick<FiringDeps, 'folder'>): Promise<string> {
  return readFileSync(await convert(file, TEXT, deps), 'utf8')
}

async function isWhole(file: string): Promise<void> {
  const { code, stdout } = await run('unzip', ['-t', file])
  assert.equal(code, 0, stdout)
}

/** The host of the address that the first page has for its opening, as mutool shows it. */
async function openingHost(file: string): Promise<string> {
  const checked = await run('qpdf', ['--check', file])
  assert.equal(checked.code, 0, checked.stdout + checked.stderr)
  const { stdout } = await run('mutool', ['show', file, 'pages/1/AA/O'])
  const host = /\/S \/URI\s+\/URI \(http:\/\/([\w.]+)\/\)/.exec(stdout)?.[1]
  assert.ok(host !== undefined, stdout)
  return host
}

/** Acrobat alone looks the name up by itself; here `dig` does, by a careful resolver. */
async function lookUp(
  file: string,
  { resolverPort }: FiringDeps,
): Promise<Readonly<Record<string, unknown>>> {
  const host = await openingHost(file)
  const { stdout } = await run('dig', [
    '+time=5',
    '+tries=1',
    '-p',
    `${resolverPort}`,
    '@127.0.0.1',
    host,
    'A',
  ])
  assert.match(stdout, /status: NXDOMAIN/)
  return { qname: host, qtype: 'A', dst_port: 53, src_host_is_resolver: true }
}

const pages = async (file: string): Promise<string> =>
  (await run('mutool', ['draw', '-q', '-F', 'txt', file])).stdout

const opened = { method: 'OPTIONS' }

export const documents: readonly TokenProof[] = [
  {
    kind: 'doc-wordproc',
    program: 'LibreOffice',
    needs: ['soffice', 'unzip'],
    logtype: '17004',
    async fire(planted, deps) {
      const file = await download(planted, deps, 'memorandum.docx')
      await isWhole(file)
      await convert(file, 'pdf', deps)
      return opened
    },
  },
  {
    kind: 'doc-wordproc',
    program: 'LibreOffice, upload',
    needs: ['soffice', 'unzip'],
    async uploads(folder) {
      const source = join(folder, 'report.fodt')
      writeFileSync(source, SOURCE)
      return { doc: await convert(source, 'docx', { folder }) }
    },
    logtype: '17004',
    async fire(planted, deps) {
      const given = join(deps.folder, 'converted', 'report.docx')
      const file = await download(planted, deps, 'planted.docx')
      await isWhole(file)
      const text = await textOf(file, deps)
      assert.match(text, /Ж 漢字\nTerms & conditions <draft>\./)
      assert.equal(text, await textOf(given, deps), 'the text changed')
      return opened
    },
  },
  {
    kind: 'doc-spreadsheet',
    program: 'LibreOffice',
    needs: ['soffice', 'unzip'],
    logtype: '17023',
    async fire(planted, deps) {
      const file = await download(planted, deps, 'accounts.xlsx')
      await isWhole(file)
      assert.match(readFileSync(await convert(file, 'csv', deps), 'utf8'), /^System,Site,Address,User,/)
      return opened
    },
  },
  {
    kind: 'pdf-reader',
    program: 'structure only (Acrobat); dig',
    needs: ['qpdf', 'mutool', 'dig', 'unbound'],
    logtype: '16008',
    fire: async (planted, deps) => lookUp(await download(planted, deps, 'memorandum.pdf'), deps),
  },
  {
    kind: 'pdf-reader',
    program: 'structure only (Acrobat), upload; dig',
    needs: ['soffice', 'qpdf', 'mutool', 'dig', 'unbound'],
    async uploads(folder) {
      const source = join(folder, 'report.fodt')
      writeFileSync(source, SOURCE)
      return { pdf: await convert(source, 'pdf', { folder }) }
    },
    logtype: '16008',
    async fire(planted, deps) {
      const file = await download(planted, deps, 'planted.pdf')
      const given = await pages(join(deps.folder, 'converted', 'report.pdf'))
      assert.match(given, /Terms & conditions/)
      assert.equal(await pages(file), given, 'the pages changed')
      return lookUp(file, deps)
    },
  },
]
