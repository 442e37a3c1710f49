import { createHash } from 'node:crypto'
import { globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Directory of this checkout. */
export const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** Hash of the files that match the patterns, and of further values. */
export const contentHash = (patterns: string[], values: string[] = []): string => {
  const hash = createHash('sha256').update(values.map((value) => `${value}\0`).join(''))
  for (const file of globSync(patterns, { cwd: ROOT }).sort())
    if (statSync(join(ROOT, file)).isFile()) hash.update(`${file}\0`).update(readFileSync(join(ROOT, file)))
  return hash.digest('hex').slice(0, 16)
}
