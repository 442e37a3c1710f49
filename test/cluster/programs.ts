// The programs of a Temporal cluster, built once for each user from the modules of its source.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { programCache } from '../../local/download.ts'

const VERSION = 'v1.32.0'
const MODULES = { server: 'go.temporal.io/server/cmd/server', sql: 'go.temporal.io/server/cmd/tools/sql' } as const

/** Paths of the server and of its tool for SQL schemas. Builds what is missing, which takes some minutes. Throws without the Go toolchain. */
export const findPrograms = (say: (line: string) => void): Record<keyof typeof MODULES, string> => {
  const directory = join(programCache(), `temporal-cluster-${VERSION}`)
  mkdirSync(directory, { recursive: true })
  for (const [name, module] of Object.entries(MODULES)) {
    if (existsSync(join(directory, name))) continue
    say(`building ${module}@${VERSION}`)
    const { error, status } = spawnSync('go', ['install', `${module}@${VERSION}`], {
      env: { ...process.env, GOBIN: directory },
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    if (error !== undefined) throw new Error('the Go toolchain (go 1.26 or later) is not on PATH: it builds the cluster')
    if (status !== 0) throw new Error(`go install ${module} failed`)
  }
  return { server: join(directory, 'server'), sql: join(directory, 'sql') }
}
