// The promises: what measures speed, what breaks things on purpose and what uses real tools share the rig and nothing else.
const AREA = /^promises\/(rig|speed|safety|tools)\//

/**
 * What is wrong with importing a module; undefined for nothing.
 * @param {string} path
 * @param {string} target the imported file, from the root of the clone
 */
export function checkPromise(path, target) {
  const [[, own] = [], [, other] = []] = [AREA.exec(path) ?? [], AREA.exec(target) ?? []]
  if (own === undefined || other === undefined || own === other || other === 'rig') return undefined
  return `promises/${own}/ imports promises/${other}/; move what both need into promises/rig/`
}
