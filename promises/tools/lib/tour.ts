// The tour of README.md as data: what a reader types, and what the page says comes out.

export interface Step {
  readonly command: string
  /** The lines under it; `…` matches anything. */
  readonly shows: string
}

/** Every `$ command` of the `console` blocks between the markers; a line that ends in `\` goes on. */
export function readTour(page: string): readonly Step[] {
  const tour = /<!-- tour:begin[^>]*-->([\s\S]*)<!-- tour:end -->/.exec(page)?.[1]
  if (tour === undefined) throw new Error('The page has no tour between tour:begin and tour:end.')
  return [...tour.matchAll(/```console\n([\s\S]*?)```/g)].flatMap(([, block = '']) => stepsOf(block))
}

const stepsOf = (block: string): readonly Step[] =>
  block
    .split(/^\$ /m)
    .slice(1)
    .map((piece) => {
      const [, command = '', shows = ''] = /^((?:.*\\\n)*.*)\n?([\s\S]*)$/.exec(piece) ?? []
      return { command, shows: shows.trimEnd() }
    })

/** What differs from run to run: ids, secrets, numbers. */
const masked = (text: string): string =>
  text
    .replace(/whsec_[A-Za-z0-9+/=]+/g, 'SECRET')
    .replace(/(?<![0-9a-zA-Z])(?=[a-z]*\d)[0-9a-z]{16,}(?![0-9a-zA-Z])/g, 'ID')
    .replace(/\d+/g, 'N')

/** The first piece of what the page shows that did not come out, in its order; undefined when all did. */
export function missingFrom(output: string, shows: string): string | undefined {
  let rest = masked(output)
  for (const piece of shows.split('…')) {
    const wanted = masked(piece).trim()
    const at = rest.indexOf(wanted)
    if (at < 0) return piece.trim()
    rest = rest.slice(at + wanted.length)
  }
  return undefined
}
