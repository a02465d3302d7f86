#!/usr/bin/env node
// `npx rookery …` in a clone: bundles the command when a source has changed, then runs it in this process as Node 24, or its parent.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { explain, nodePath, root } from '../../../tools/clone.mjs'
import { prepare } from '../../../tools/prepare.mjs'
import { ALLOCATION, BIRD_FLAGS, CONSOLE_FLAGS } from './node-settings.mjs'

/** These run until they are stopped: a parent starts them again. */
const LASTING = new Set(['up', 'serve', 'bird'])
const SUPERVISOR = ['--max-semi-space-size=1', join(root, '.build', 'supervisor.process.mjs')]

try {
  await prepare({ bundle: true })
  const args = process.argv.slice(2)
  const flags = args[0] === 'bird' ? BIRD_FLAGS : CONSOLE_FLAGS
  const command = [...flags, join(root, '.build', 'rookery.mjs'), ...args]
  become(nodePath(), LASTING.has(args[0] ?? '') ? [...SUPERVISOR, ...command] : command)
} catch (error) {
  process.stderr.write(`${explain(error)}\n`)
  process.exitCode = 1
}

/**
 * Replaces this process where Node can (22.15 and newer), so that no parent must pass on signals and the exit code.
 * @param {string} program
 * @param {string[]} args
 */
function become(program, args) {
  const env = { ...ALLOCATION, ...process.env }
  if (typeof process.execve === 'function' && process.platform !== 'win32')
    process.execve(program, [program, ...args], env)
  const child = spawn(program, args, { stdio: 'inherit', env })
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT']))
    process.on(signal, () => {
      // A terminal sends its signals to the child too. A second one would end it at once.
      if (signal === 'SIGTERM' || !process.stdin.isTTY) child.kill(signal)
    })
  child.on('error', (error) => {
    process.stderr.write(`${program} cannot be started: ${error.message}\n`)
    process.exitCode = 1
  })
  child.on('exit', (code, signal) => {
    if (signal === null) process.exitCode = code ?? 1
    else {
      process.removeAllListeners(signal)
      process.kill(process.pid, signal)
    }
  })
}
