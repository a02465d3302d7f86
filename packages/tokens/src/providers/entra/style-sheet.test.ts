import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { backgroundCss } from '../../channels/http/css-clone.ts'
import { bodyBackgroundRule, withoutToken, withRule } from './style-sheet.ts'

const RULE = backgroundCss('https://t.example/img/tok1/x.gif')

describe('a style sheet that sets the background of the body', () => {
  it.each([
    'body{background:red}',
    'a{color:red} BODY { Background-Image : url("x}y") }',
    'html > body.dark, p {margin:0; background-color: #fff}',
    '@media (min-width: 1px) { p{} body:hover {background:none} }',
    'body#id[a="}"]{/* here */background:red',
    "p:after{content:'}'} body{background:red}",
    'b\\6f dy{b\\61 ckground:red}',
    '/* body{} */ html body /* x */ {background/**/:red}',
  ])('is seen: %s', (css) => {
    expect(bodyBackgroundRule(css)).toMatch(/body|b\\6f/i)
  })

  it.each([
    '',
    'body{color:red}',
    '.body{background:red}',
    '.ext-body, #body {background:red}',
    'body .ext-header{background:red}',
    'body > main {background:red}',
    'tbody{background:red}',
    '/* body{background:red} */',
    'a:after{content:"body{background:red}"}',
    'body{--background:red}',
    '@import url("body.css"); p{background:red}',
  ])('is not seen in %s', (css) => {
    expect(bodyBackgroundRule(css)).toBeUndefined()
  })

  it('is any with our rule', () => {
    expect(bodyBackgroundRule(RULE)).toBe(RULE)
    expect(bodyBackgroundRule(withRule('p{color:red}', RULE))).toBe(RULE)
  })
})

describe('a rule of ours', () => {
  it('goes behind what is there, and leaves it as it was', () => {
    const css = '/* ours */\n@media print {\n  p { color: red }\n}\n'
    const changed = withRule(css, RULE)
    expect(changed).toBe(`${css}${RULE}\n`)
    expect(withoutToken(changed, 'tok1')).toBe(css)
    expect(withoutToken(changed, 'tok2')).toBe(changed)
  })

  it('goes out wherever others put rules later, and whatever they wrote', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.constantFrom('p{a:b}', '@media x{', '}', '/* c */', '\n', '"', "'", '\\', ';', 'body', '{'),
          {
            maxLength: 12,
          },
        ),
        (pieces) => {
          const css = pieces.join('')
          expect(withoutToken(css, 'tok1')).toBe(css)
          const after = withoutToken(`p{c:d}\n${RULE}\n${css}`, 'tok1')
          expect(after).toBe(`p{c:d}\n${css}`)
        },
      ),
    )
  })
})
