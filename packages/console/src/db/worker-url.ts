// Where a worker's code lies: beside its source while TypeScript runs directly, beside the bundle once bundled.

/** The URL of `<name>.worker`, a file in the caller's folder; the bundler puts all of them into one. */
export function workerUrl(name: string, callerUrl: string): URL {
  const bundled = callerUrl.endsWith('.mjs')
  return new URL(`./${name}.worker.${bundled ? 'mjs' : 'ts'}`, callerUrl)
}
