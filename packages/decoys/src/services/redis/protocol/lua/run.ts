// Runs a Lua script over its syntax tree, within a budget of work and depth.
import {
  callValue,
  getIndex,
  lengthOf,
  negate,
  operate,
  setField,
  setIndex,
  type Machine,
} from './operations.ts'
import { parseScript } from './parser.ts'
import type { Block, Expression, FunctionBody, Statement } from './syntax.ts'
import { TooMuchWork, type LineWork } from '../../../../session/line-work.ts'
import {
  isTruthy,
  LuaError,
  LuaFault,
  LuaTable,
  toNumber,
  type LuaFunction,
  type LuaValue,
} from './values.ts'

/** Of an error in each statement that it leaves. */
const THROW_WORK = 60
const VALUES_A_UNIT = 4
const CLOSURE_WORK = 2
const COMPILE_WORK = 20
/** Of a script, until it is split into words. */
const BYTES_A_UNIT = 4
/** Calls within calls. */
const MAX_DEPTH = 150

export class LuaMachine implements Machine {
  readonly globals = new LuaTable()
  readonly textMethods = new LuaTable()
  /** The line of the statement that runs. */
  line = 1
  depth = 0
  /** Of the line that runs the script: loops, calls, new fields and texts are paid from it. */
  readonly work: LineWork
  readonly spend: LineWork['spend']

  constructor(work: LineWork) {
    this.work = work
    this.spend = work.spend
  }

  /** The text with the place of the current line in front. */
  placed(message: string): LuaError {
    return new LuaError(`user_script:${this.line}: ${message}`, this.line)
  }

  /** Compiles a script into a function. */
  load(script: string, chunk: string): LuaFunction {
    this.spend(COMPILE_WORK + script.length / BYTES_A_UNIT)
    return newFunction(this, parseScript(script, chunk, this.spend), [])
  }
}

interface Box {
  value: LuaValue
}

interface Frame {
  readonly machine: LuaMachine
  readonly slots: Box[]
  readonly upvalues: readonly Box[]
  readonly varargs: readonly LuaValue[]
}

type Signal = { readonly kind: 'break' } | { readonly kind: 'return'; readonly values: readonly LuaValue[] }
const BREAK: Signal = { kind: 'break' }
const NOTHING: readonly LuaValue[] = []

function newFunction(machine: LuaMachine, body: FunctionBody, upvalues: readonly Box[]): LuaFunction {
  return {
    name: 'function',
    call(args) {
      machine.spend(2 + args.length / VALUES_A_UNIT)
      if ((machine.depth += 1) > MAX_DEPTH) {
        machine.depth = 0
        throw machine.placed('stack overflow')
      }
      const slots: Box[] = []
      body.parameters.forEach((slot, i) => (slots[slot] = { value: args[i] }))
      const varargs = body.hasVarargs ? args.slice(body.parameters.length) : NOTHING
      const { line, depth } = machine
      const signal = runBlock({ machine, slots, upvalues, varargs }, body.body)
      machine.line = line
      machine.depth = depth - 1
      return signal?.kind === 'return' ? signal.values : NOTHING
    },
  }
}

function runBlock(frame: Frame, block: Block): Signal | undefined {
  for (const statement of block) {
    const signal = runStatement(frame, statement)
    if (signal) return signal
  }
  return undefined
}

/** Gives what fails the place where it fails. */
function runStatement(frame: Frame, statement: Statement): Signal | undefined {
  frame.machine.line = statement.line
  frame.machine.spend(1)
  try {
    return execute(frame, statement)
  } catch (thrown) {
    if (thrown instanceof TooMuchWork) throw thrown
    frame.machine.spend(THROW_WORK)
    if (thrown instanceof LuaFault) throw frame.machine.placed(thrown.message)
    if (thrown instanceof LuaError) thrown.line ??= frame.machine.line
    throw thrown
  }
}

function execute(frame: Frame, statement: Statement): Signal | undefined {
  switch (statement.kind) {
    case 'do':
      return runBlock(frame, statement.body)
    case 'call-statement':
      evaluateAll(frame, statement.call)
      return undefined
    case 'local': {
      const values = evaluateList(frame, statement.values)
      statement.slots.forEach((slot, i) => (frame.slots[slot] = { value: values[i] }))
      return undefined
    }
    case 'local-function': {
      const box: Box = { value: undefined }
      frame.slots[statement.slot] = box
      box.value = closure(frame, statement.body)
      return undefined
    }
    case 'assign': {
      const values = evaluateList(frame, statement.values)
      statement.targets.forEach((target, i) => assign(frame, target, values[i]))
      return undefined
    }
    case 'if': {
      const branch = statement.branches.find(({ condition }) => isTruthy(evaluate(frame, condition)))
      const body = branch?.body ?? statement.otherwise
      return body && runBlock(frame, body)
    }
    case 'while':
      return runLoop(frame, statement.body, () => isTruthy(evaluate(frame, statement.condition)))
    case 'repeat':
      return runRepeat(frame, statement)
    case 'for':
      return runNumericFor(frame, statement)
    case 'for-in':
      return runGenericFor(frame, statement)
    case 'return':
      return { kind: 'return', values: evaluateList(frame, statement.values) }
    case 'break':
      return BREAK
  }
}

function runLoop(frame: Frame, body: Block, goesOn: () => boolean): Signal | undefined {
  while (goesOn()) {
    frame.machine.spend(1)
    const signal = runBlock(frame, body)
    if (signal) return signal === BREAK ? undefined : signal
  }
  return undefined
}

function runRepeat(
  frame: Frame,
  { body, until }: Extract<Statement, { kind: 'repeat' }>,
): Signal | undefined {
  let isFirst = true
  return runLoop(frame, body, () => {
    const goesOn = isFirst || !isTruthy(evaluate(frame, until))
    isFirst = false
    return goesOn
  })
}

function runNumericFor(frame: Frame, statement: Extract<Statement, { kind: 'for' }>): Signal | undefined {
  const { slot, start, limit, step, body } = statement
  const bound = (expression: Expression | undefined, name: string): number => {
    const number = expression ? toNumber(evaluate(frame, expression)) : 1
    if (number === undefined) throw new LuaFault(`'for' ${name} must be a number`)
    return number
  }
  const [first, last, by] = [bound(start, 'initial value'), bound(limit, 'limit'), bound(step, 'step')]
  let value = first - by
  return runLoop(frame, body, () => {
    value += by
    frame.slots[slot] = { value }
    return by > 0 ? value <= last : value >= last
  })
}

function runGenericFor(frame: Frame, statement: Extract<Statement, { kind: 'for-in' }>): Signal | undefined {
  const { slots, values, body } = statement
  const [iterate, state, first] = evaluateList(frame, values)
  let control = first
  return runLoop(frame, body, () => {
    const found = callValue(frame.machine, iterate, [state, control])
    control = found[0]
    slots.forEach((slot, i) => (frame.slots[slot] = { value: found[i] }))
    return control !== undefined
  })
}

function assign(frame: Frame, target: Expression, value: LuaValue): void {
  const { machine } = frame
  switch (target.kind) {
    case 'local':
      frame.slots[target.slot]!.value = value
      return
    case 'upvalue':
      frame.upvalues[target.index]!.value = value
      return
    case 'global':
      setField(machine, machine.globals, target.name, value)
      return
    case 'index':
      setIndex(machine, evaluate(frame, target.object), evaluate(frame, target.key), value, () =>
        describe(target.object),
      )
      return
    default:
      throw new LuaFault(`cannot assign to a ${target.kind}`)
  }
}

/** The value of an expression; of several, the first. */
function evaluate(frame: Frame, expression: Expression): LuaValue {
  const { machine } = frame
  switch (expression.kind) {
    case 'constant':
      return expression.value
    case 'local':
      return frame.slots[expression.slot]?.value
    case 'upvalue':
      return frame.upvalues[expression.index]?.value
    case 'global':
      return getIndex(machine, machine.globals, expression.name)
    case 'function':
      return closure(frame, expression.body)
    case 'index':
      return getIndex(machine, evaluate(frame, expression.object), evaluate(frame, expression.key), () =>
        describe(expression.object),
      )
    case 'and': {
      const left = evaluate(frame, expression.left)
      return isTruthy(left) ? evaluate(frame, expression.right) : left
    }
    case 'or': {
      const left = evaluate(frame, expression.left)
      return isTruthy(left) ? left : evaluate(frame, expression.right)
    }
    case 'binary': {
      const [left, right] = [evaluate(frame, expression.left), evaluate(frame, expression.right)]
      return operate(machine, expression.operator, left, right, (isLeft) =>
        describe(isLeft ? expression.left : expression.right),
      )
    }
    case 'unary':
      return evaluateUnary(frame, expression)
    case 'parentheses':
      return evaluate(frame, expression.inner)
    case 'table':
      return evaluateTable(frame, expression)
    default:
      return evaluateAll(frame, expression)[0]
  }
}

function evaluateUnary(
  frame: Frame,
  { operator, operand }: Extract<Expression, { kind: 'unary' }>,
): LuaValue {
  const value = evaluate(frame, operand)
  if (operator === 'not') return !isTruthy(value)
  return operator === '-'
    ? negate(frame.machine, value, () => describe(operand))
    : lengthOf(value, () => describe(operand))
}

/** All values of a call or of `...`. */
function evaluateAll(frame: Frame, expression: Expression): readonly LuaValue[] {
  const { machine } = frame
  switch (expression.kind) {
    case 'call': {
      const callee = evaluate(frame, expression.callee)
      const args = evaluateList(frame, expression.args)
      machine.line = expression.line
      return callValue(machine, callee, args, () => describe(expression.callee))
    }
    case 'method': {
      const object = evaluate(frame, expression.object)
      const callee = getIndex(machine, object, expression.name, () => describe(expression.object))
      const args = evaluateList(frame, expression.args)
      machine.line = expression.line
      return callValue(machine, callee, [object, ...args], () => `method '${expression.name}'`)
    }
    case 'varargs':
      return frame.varargs
    default:
      return [evaluate(frame, expression)]
  }
}

function evaluateList(frame: Frame, expressions: readonly Expression[]): readonly LuaValue[] {
  if (expressions.length === 0) return NOTHING
  const values: LuaValue[] = []
  for (let i = 0; i < expressions.length - 1; i += 1) values.push(evaluate(frame, expressions[i]!))
  const last = evaluateAll(frame, expressions.at(-1)!)
  if (values.length === 0) return last
  frame.machine.spend(last.length / VALUES_A_UNIT)
  for (const value of last) values.push(value)
  return values
}

function evaluateTable(frame: Frame, { fields }: Extract<Expression, { kind: 'table' }>): LuaTable {
  const table = new LuaTable()
  const items: LuaValue[] = []
  fields.forEach(({ key, value }, i) => {
    if (key) setField(frame.machine, table, evaluate(frame, key), evaluate(frame, value))
    else if (i === fields.length - 1) items.push(...evaluateAll(frame, value))
    else items.push(evaluate(frame, value))
  })
  frame.machine.spend(items.length * 4)
  table.fill(items)
  return table
}

function closure({ machine, slots, upvalues }: Frame, body: FunctionBody): LuaFunction {
  machine.spend(CLOSURE_WORK + body.upvalues.length)
  const taken = body.upvalues.map(({ isSlot, index }) =>
    isSlot ? (slots[index] ??= { value: undefined }) : upvalues[index]!,
  )
  return newFunction(machine, body, taken)
}

/** How an error names what the expression reads. */
function describe(expression: Expression): string | undefined {
  switch (expression.kind) {
    case 'local':
    case 'upvalue':
    case 'global':
      return `${expression.kind} '${expression.name}'`
    case 'index': {
      const { key } = expression
      return `field '${key.kind === 'constant' && typeof key.value === 'string' ? key.value : '?'}'`
    }
    case 'method':
      return undefined
    case 'parentheses':
      return describe(expression.inner)
    default:
      return undefined
  }
}
