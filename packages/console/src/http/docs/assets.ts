// What the page at `/docs` loads: its style, and the script that sends a form and shows the answer.

export const DOCS_STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { display: grid; grid-template-columns: 15rem minmax(0, 60rem); gap: 2rem; margin: 0 2rem 4rem 1rem }
nav { position: sticky; top: 0; max-height: 100vh; overflow-y: auto; padding: 1rem 0; font-size: 0.875rem }
nav a { display: block; padding: 0.125rem 0 }
table { border-collapse: collapse; width: 100%; margin: 0.75rem 0; font-size: 0.875rem }
th, td { text-align: left; vertical-align: top; padding: 0.25rem 0.75rem 0.25rem 0; border-bottom: 1px solid #8884 }
summary { cursor: pointer; padding: 0.25rem 0 }
summary b { display: inline-block; min-width: 4.5rem; font-family: ui-monospace, monospace }
details > details, form, pre, .role { margin-left: 1rem }
pre { overflow-x: auto; padding: 0.75rem; background: #8882; max-height: 30rem; white-space: pre-wrap; overflow-wrap: anywhere }
pre:has(> output:empty) { display: none }
form td:last-child { width: 30% }
code { font-family: ui-monospace, monospace; font-size: 0.9em }
input, select, textarea { font: inherit; width: 100%; box-sizing: border-box }
.key { position: sticky; top: 0; background: Canvas; padding: 0.75rem 0 }
@media (max-width: 50rem) { body { display: block; margin: 0 1rem } nav, .key { position: static } }
`

export const DOCS_SCRIPT = `'use strict'
const key = document.querySelector('#key')

/** The parameters that were filled in: as a form, or with a file as multipart. */
function parametersOf(form) {
  const filled = [...new FormData(form)].filter(([, value]) => value !== '' && value.size !== 0)
  const parameters = filled.some(([, value]) => value instanceof File) ? new FormData() : new URLSearchParams()
  for (const [name, value] of filled) parameters.append(name, value)
  return parameters
}

async function send(form) {
  const { method, path } = form.dataset
  const parameters = parametersOf(form)
  const headers = key.value === '' ? {} : { 'X-Auth-Token': key.value }
  return method === 'GET'
    ? fetch(path + '?' + parameters, { headers })
    : fetch(path, { method, headers, body: parameters })
}

async function show(answer, output) {
  const lines = [answer.status + ' ' + answer.statusText]
  if (!/json|text/.test(answer.headers.get('content-type') ?? '')) {
    const file = await answer.blob()
    const link = document.createElement('a')
    link.href = URL.createObjectURL(file)
    link.download = /filename="?([^";]*)/.exec(answer.headers.get('content-disposition') ?? '')?.[1] ?? 'answer'
    link.textContent = 'Save ' + link.download + ' (' + file.size + ' bytes)'
    output.replaceChildren(lines.join(''), '\\n', link)
    return
  }
  const text = await answer.text()
  try {
    lines.push(JSON.stringify(JSON.parse(text), undefined, 2))
  } catch {
    lines.push(text)
  }
  output.textContent = lines.join('\\n')
}

document.addEventListener('submit', async (event) => {
  event.preventDefault()
  const output = event.target.querySelector('output')
  output.textContent = '…'
  try {
    await show(await send(event.target), output)
  } catch (error) {
    output.textContent = 'The console does not answer: ' + error.message
  }
})

/** A link to an operation opens it. */
function openLinked() {
  const linked = document.getElementById(decodeURIComponent(location.hash.slice(1)))
  if (linked instanceof HTMLDetailsElement) linked.open = true
}
addEventListener('hashchange', openLinked)
openLinked()
`
