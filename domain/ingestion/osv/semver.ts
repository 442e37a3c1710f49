/** Core numbers and the parts of a pre-release. */
interface Version {
  core: readonly [number, number, number]
  pre: readonly string[]
}

const VERSION = /^[v=\s]*(\d{1,15})(?:\.(\d{1,15}))?(?:\.(\d{1,15}))?(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?$/

const parseVersion = (text: string): Version | null => {
  const [whole, major, minor = '0', patch = '0', pre = ''] = VERSION.exec(text.trim().slice(0, 200)) ?? []
  if (whole === undefined) return null
  return { core: [Number(major), Number(minor), Number(patch)], pre: pre.split('.').filter((part) => part !== '') }
}

const compareParts = (a: string, b: string): number => {
  const [left, right] = [/^\d+$/.test(a), /^\d+$/.test(b)]
  if (left && right) return Number(a) - Number(b)
  if (left !== right) return left ? -1 : 1
  if (a === b) return 0
  return a < b ? -1 : 1
}

const comparePre = (a: readonly string[], b: readonly string[]): number => {
  if (a.length === 0 || b.length === 0) return b.length - a.length
  for (let index = 0; index < Math.min(a.length, b.length); index += 1) {
    const order = compareParts(a[index] ?? '', b[index] ?? '')
    if (order !== 0) return order
  }
  return a.length - b.length
}

/** Order of two versions, negative where `a` comes first; null where one of them is no version. Source: Semantic Versioning 2.0.0, 11. */
export const compareVersions = (a: string, b: string): number | null => {
  const [left, right] = [parseVersion(a), parseVersion(b)]
  if (left === null || right === null) return null
  for (const index of [0, 1, 2] as const) {
    const order = left.core[index] - right.core[index]
    if (order !== 0) return order
  }
  return comparePre(left.pre, right.pre)
}
