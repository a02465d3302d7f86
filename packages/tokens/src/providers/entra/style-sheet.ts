// The custom CSS of a login page, as far as a rule of ours goes into it and out again (CSS Syntax Module Level 3).

/** The first rule that sets the background of the body, as it is written; undefined without one. */
export function bodyBackgroundRule(css: string): string | undefined {
  for (const { selector, declarations, text } of rulesOf(css))
    if (selectsBody(selector) && setsBackground(declarations)) return text
  return undefined
}

/** Behind everything else: what comes last wins. */
export const withRule = (css: string, rule: string): string =>
  css.trim() === '' ? `${rule}\n` : `${css.trimEnd()}\n${rule}\n`

/** Without each rule that names the token's URL; the rest stays byte for byte. */
export function withoutToken(css: string, tokenId: string): string {
  let left = css
  for (const { text } of rulesOf(css)) {
    if (!text.includes(tokenId)) continue
    const at = left.indexOf(text)
    const end = at + text.length
    left = left.slice(0, at) + left.slice(left[end] === '\n' ? end + 1 : end)
  }
  return left
}

interface Rule {
  readonly selector: string
  readonly declarations: string
  /** As it stands in the sheet. */
  readonly text: string
}

/** A comment, a text in quotes, an escaped character, or one character. */
const PIECE =
  /\/\*[\s\S]*?(?:\*\/|$)|"(?:[^"\\]|\\[\s\S])*(?:"|$)|'(?:[^'\\]|\\[\s\S])*(?:'|$)|\\[\s\S]|[\s\S]/g

/** Those with declarations, also inside of `@media` and its like; the last one may lack its brace, as browsers allow. */
function rulesOf(css: string): Rule[] {
  const rules: Rule[] = []
  let from = 0
  let brace = -1
  for (const { 0: piece, index } of css.matchAll(PIECE)) {
    if (piece === '{') {
      // The braces before it were those of `@media`, whose rules are looked at one by one.
      if (brace >= 0) from = brace + 1
      brace = index
    } else if (piece === '}' || (piece === ';' && brace < 0)) {
      if (brace >= 0) rules.push(ruleAt(css, from, brace, index))
      from = index + 1
      brace = -1
    }
  }
  if (brace >= 0) rules.push(ruleAt(css, from, brace, css.length))
  return rules
}

function ruleAt(css: string, start: number, brace: number, end: number): Rule {
  const skipped = /^(?:\s|\/\*[\s\S]*?\*\/)*/.exec(css.slice(start, brace))?.[0].length ?? 0
  return {
    selector: plain(css.slice(start + skipped, brace)),
    declarations: plain(css.slice(brace + 1, end)),
    text: css.slice(start + skipped, end + 1),
  }
}

/** Without comments, escapes resolved, in small letters. */
const plain = (css: string): string =>
  css
    .replace(/\/\*[\s\S]*?(?:\*\/|$)/g, ' ')
    .replace(/\\(?:([0-9a-f]{1,6})\s?|([\s\S]))/gi, (_all, hex?: string, character?: string) =>
      hex === undefined ? (character ?? '') : codePoint(parseInt(hex, 16)),
    )
    .toLowerCase()

const codePoint = (code: number): string => (code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd')

/** One of the selectors ends at the element `body`, whatever class, id or state it must have. */
const selectsBody = (selector: string): boolean =>
  selector.split(',').some((one) => /(?:^|[\s>+~])body(?:[.#:[][^\s>+~]*)?\s*$/.test(one.trimEnd()))

const setsBackground = (declarations: string): boolean =>
  /(?:^|[;\s])background(?:-image|-color)?\s*:/.test(declarations)
