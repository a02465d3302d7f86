// The page at `/docs` as HTML: every operation with its parameters as a form, its answer and a line to copy.
import { INTRODUCTION, rightsOf } from '@rookery/contract/openapi.ts'
import { aboutGroup, type Group, type Operation } from '@rookery/contract/operation.ts'
import { answerRows, curl, parameterRows, type ParameterRow } from '@rookery/contract/reference.ts'

/** `sections`: those of all groups, if they are made already. */
export function docsPage(
  groups: Readonly<Record<string, Group>>,
  sections: readonly string[] = Object.entries(groups).map(([name, group]) => section(name, group)),
): string {
  const entries = Object.entries(groups)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Rookery API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/page.css">
<script src="/docs/page.js" defer></script>
</head>
<body>
<nav>
${entries.map(([name, group]) => `<a href="#${name}">${inline(aboutGroup(group).title)}</a>`).join('\n')}
<a href="/api/v1/openapi.json">OpenAPI 3.1</a>
</nav>
<main>
<h1>Rookery API</h1>
${INTRODUCTION.split('\n\n')
  .map((paragraph) => `<p>${inline(paragraph)}</p>`)
  .join('\n')}
<p class="key"><label for="key">API key, for “Send”</label>
<input id="key" type="password" autocomplete="off" spellcheck="false"></p>
<noscript><p>Reading needs no JavaScript; “Send” does.</p></noscript>
${sections.join('\n')}
</main>
</body>
</html>
`
}

/** One group, with its operations. */
export function section(name: string, group: Group): string {
  const { title, text } = aboutGroup(group)
  const operations = Object.entries(group).map(([key, operation]) => details(`${name}.${key}`, operation))
  return `<h2 id="${name}">${inline(title)}</h2>\n<p>${inline(text)}</p>\n${operations.join('\n')}`
}

function details(id: string, operation: Operation): string {
  const { method, path, aliases, title, deprecated, answers } = operation
  const notes = [
    rightsOf(operation),
    ...aliases.map((alias) => `Also at \`/api/v1${alias}\`.`),
    ...(deprecated ? ['Deprecated: kept for clients that call it.'] : []),
    ...(answers === 'file' ? ['Answers JSON, or the file itself.'] : []),
  ]
  const answer = answerRows(operation).map((row) =>
    [`\`${row.name}\``, row.type, row.description].map(inline),
  )
  return `<details id="${id}">
<summary><b>${method}</b> <code>/api/v1${path}</code> ${inline(title)}</summary>
<p class="role">${inline(notes.join(' '))}</p>
<form data-method="${method}" data-path="/api/v1${path}">
${table(['Parameter', 'Type', 'What it is', 'Value'], parameterRows(operation).map(parameterCells))}
<button>Send</button>
<pre><output></output></pre>
</form>
${answer.length > 0 ? `<details><summary>Answer</summary>${table(['Field', 'Type', 'What it is'], answer)}</details>` : ''}
<pre><code>${escape(curl(operation))}</code></pre>
</details>`
}

function parameterCells(row: ParameterRow): string[] {
  const needed = row.isRequired
    ? ', required'
    : row.default === undefined
      ? ''
      : `, default \`${row.default}\``
  return [inline(`\`${row.name}\``), inline(row.type + needed), inline(row.description), field(row)]
}

const LONG = /at most \d{4,} characters|^text$/

function field({ name, type, choices, isFile, isRequired, example }: ParameterRow): string {
  const attributes = `name="${escape(name)}" aria-label="${escape(name)}"${isRequired ? ' required' : ''}`
  if (isFile) return `<input type="file" ${attributes}>`
  if (choices.length > 0) {
    const options = ['', ...choices].map(
      (it) => `<option${it === example ? ' selected' : ''}>${escape(it)}</option>`,
    )
    return `<select ${attributes}>${options.join('')}</select>`
  }
  if (LONG.test(type)) return `<textarea rows="2" ${attributes}>${escape(example)}</textarea>`
  return `<input value="${escape(example)}" ${attributes}>`
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return ''
  const line = (cells: readonly string[], tag: 'td' | 'th') =>
    `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join('')}</tr>`
  return `<table>${line(head, 'th')}\n${rows.map((cells) => line(cells, 'td')).join('\n')}</table>`
}

/** Text as HTML: `code` and **strong** as Markdown writes them. */
const inline = (text: string): string =>
  escape(text)
    .replace(/`([^`]+)`/g, '<code>$1</code>')
    .replace(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')

const escape = (text: string): string =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;')
