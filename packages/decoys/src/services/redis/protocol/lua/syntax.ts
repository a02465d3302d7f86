// The syntax tree of a Lua script. Names are resolved: to a slot of the function, one of its upvalues, or a global.

export type Variable =
  | { readonly kind: 'local'; readonly slot: number; readonly name: string }
  | { readonly kind: 'upvalue'; readonly index: number; readonly name: string }
  | { readonly kind: 'global'; readonly name: string }

export type Expression = { readonly line: number } & (
  | { readonly kind: 'constant'; readonly value: undefined | boolean | number | string }
  | { readonly kind: 'varargs' }
  | { readonly kind: 'function'; readonly body: FunctionBody }
  | Variable
  | { readonly kind: 'index'; readonly object: Expression; readonly key: Expression }
  | { readonly kind: 'call'; readonly callee: Expression; readonly args: readonly Expression[] }
  | {
      readonly kind: 'method'
      readonly object: Expression
      readonly name: string
      readonly args: readonly Expression[]
    }
  | { readonly kind: 'and' | 'or'; readonly left: Expression; readonly right: Expression }
  | {
      readonly kind: 'binary'
      readonly operator: BinaryOperator
      readonly left: Expression
      readonly right: Expression
    }
  | { readonly kind: 'unary'; readonly operator: '-' | 'not' | '#'; readonly operand: Expression }
  | { readonly kind: 'parentheses'; readonly inner: Expression }
  | {
      readonly kind: 'table'
      readonly fields: readonly { readonly key: Expression | undefined; readonly value: Expression }[]
    }
)

export type BinaryOperator = '+' | '-' | '*' | '/' | '%' | '^' | '..' | '==' | '~=' | '<' | '<=' | '>' | '>='

export type Statement = { readonly line: number } & (
  | { readonly kind: 'do'; readonly body: Block }
  | { readonly kind: 'call-statement'; readonly call: Expression }
  | {
      readonly kind: 'local'
      readonly slots: readonly number[]
      readonly values: readonly Expression[]
    }
  | { readonly kind: 'local-function'; readonly slot: number; readonly body: FunctionBody }
  | {
      readonly kind: 'assign'
      readonly targets: readonly Expression[]
      readonly values: readonly Expression[]
    }
  | {
      readonly kind: 'if'
      readonly branches: readonly { readonly condition: Expression; readonly body: Block }[]
      readonly otherwise: Block | undefined
    }
  | { readonly kind: 'while'; readonly condition: Expression; readonly body: Block }
  | { readonly kind: 'repeat'; readonly body: Block; readonly until: Expression }
  | {
      readonly kind: 'for'
      readonly slot: number
      readonly start: Expression
      readonly limit: Expression
      readonly step: Expression | undefined
      readonly body: Block
    }
  | {
      readonly kind: 'for-in'
      readonly slots: readonly number[]
      readonly values: readonly Expression[]
      readonly body: Block
    }
  | { readonly kind: 'return'; readonly values: readonly Expression[] }
  | { readonly kind: 'break' }
)

export type Block = readonly Statement[]

export interface FunctionBody {
  readonly parameters: readonly number[]
  readonly hasVarargs: boolean
  readonly slots: number
  /** Each is a slot, or an upvalue, of the function around it. */
  readonly upvalues: readonly { readonly isSlot: boolean; readonly index: number }[]
  readonly body: Block
}
