import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Folder of the recorded histories. */
export const HISTORIES = fileURLToPath(new URL('../../histories/', import.meta.url))
export const MANIFEST = `${HISTORIES}manifest.json`

/** Who recorded, in place of process and host. */
export const RECORDER = 'recorder'

/** One recorded run of a process. */
export interface Recorded {
  file: string
  workflowType: string
  ending: string
  recordedWith: { sdk: string; server: string }
  /** Of the file as it lies there, hex: a history is recorded, never edited. */
  sha256: string
}

export const readManifest = (): Recorded[] => JSON.parse(readFileSync(MANIFEST, 'utf8')) as Recorded[]

export const sha256Of = (text: string): string => createHash('sha256').update(text).digest('hex')
