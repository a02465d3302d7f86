import { expect, it } from 'vitest'
import { inspect } from './inspect.mjs'

const found = (line: string, path = 'packages/web/src/kit/a.tsx') =>
  inspect(path, `${line}\n`).map(({ rule }) => rule)

it.each([
  'export const A = (t: string) => <p dangerouslySetInnerHTML={{ __html: t }} />',
  'export const a = (it: HTMLElement, t: string) => { it.innerHTML = t }',
  "export const a = (it: HTMLElement, t: string) => { it['outerHTML'] = t }",
  "export const a = (it: HTMLElement, t: string) => it.insertAdjacentHTML('beforeend', t)",
  'export const A = (t: string) => <iframe srcDoc={t} />',
  'export const A = (t: string) => <a href={t}>x</a>',
  'export const A = (t: string) => <img src={`/${t}`} />',
])('the page makes no markup, code or address of text: %s', (line) => {
  expect(found(line)).toContain('sink')
})

it('fixed addresses and those of links.ts are fine, and so is everything outside the page', () => {
  expect(found('export const A = () => <img src="/icon.svg" alt="" />')).toEqual([])
  expect(found('export const A = (t: string) => <a href={links.https(t)}>x</a>')).toEqual([])
  expect(found('export const a = (t: string) => ({ innerHTML: t })', 'packages/bird/src/a.ts')).toEqual([])
})
