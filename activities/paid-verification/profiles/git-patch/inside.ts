import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** A file of the judge, with the path at which the sandbox shows it. */
const load = (name: string) => {
  const bytes = readFileSync(new URL(`inside/${name}`, import.meta.url))
  return { path: `/in/judge/${name}`, bytes, sha256: createHash('sha256').update(bytes).digest('hex') }
}

/** Programs that the judge runs beside those of a repository. */
export const INSIDE = {
  prepare: load('prepare.sh'),
  reporter: load('reporter.mjs'),
  sentinel: load('sentinel.mjs'),
  readonly: load('readonly.pl'),
}
