// A plugin of Prettier: tables of Markdown stay as they are written. Aligned, a column is as wide as its longest cell.
import { doc } from 'prettier'
import * as markdown from 'prettier/plugins/markdown'

const { hardline, join } = doc.builders
const astFormat = 'mdast-with-written-tables'
const { mdast } = markdown.printers

/** @typedef {{ type: string, position: Record<'start' | 'end', { offset: number }> }} Written */

export const parsers = { markdown: { ...markdown.parsers.markdown, astFormat } }

/** @type {Record<string, import('prettier').Printer<Written>>} */
export const printers = {
  [astFormat]: {
    ...mdast,
    print(path, options, print, args) {
      if (path.node.type !== 'table') return mdast.print(path, options, print, args)
      const { start, end } = path.node.position
      const lines = options.originalText.slice(start.offset, end.offset).split('\n')
      return join(
        hardline,
        lines.map((line) => line.trim()),
      )
    },
  },
}
