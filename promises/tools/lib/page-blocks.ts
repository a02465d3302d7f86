// The commands of a page: code blocks whose first line says on which machine they are typed.

export interface Block {
  /** Such as `console` of a block that begins with three backquotes and `sh console`. */
  readonly where: string
  readonly commands: string
}

export function readBlocks(page: string): readonly Block[] {
  const blocks = [...page.matchAll(/^```sh (\w+)\n([\s\S]*?)^```$/gm)]
  return blocks.map(([, where = '', commands = '']) => ({ where, commands }))
}
