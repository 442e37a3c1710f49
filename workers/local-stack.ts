import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseEnv } from 'node:util'
import { z } from 'zod'
import { type Environment, KEY_NAMES } from '../schemas/settings.ts'

/** What is read of the `stack.json` of a local stack. */
const Running = z.object({ pid: z.int(), serviceEnv: z.string() })

/** Settings that say whose records a command reads, or with whose keys it acts: one of them set, the environment counts alone. */
const OWN = ['CHAIN_FILE', ...KEY_NAMES.flatMap((name) => [name, `${name}_FILE`])]

/** State directory of the local stack of this checkout. */
const STATE_DIRECTORY = fileURLToPath(new URL('../.local', import.meta.url))

/** Settings of the local stack of a state directory; null when none runs. */
const readLocalStack = (directory: string): Environment | null => {
  try {
    const { pid, serviceEnv } = Running.parse(JSON.parse(readFileSync(join(directory, 'stack.json'), 'utf8')))
    process.kill(pid, 0)
    return parseEnv(readFileSync(serviceEnv, 'utf8'))
  } catch {
    return null
  }
}

/** Settings of an operator's command: those of the environment or, where it names neither records nor keys, those of the local stack. */
export const commandEnvironment = (env: Environment, say: (line: string) => void, directory = STATE_DIRECTORY): Environment => {
  if (OWN.some((name) => env[name]?.trim())) return env
  const local = readLocalStack(directory)
  say(
    local === null
      ? 'No settings are given, and no local stack runs in this checkout: npm start starts one.'
      : `No settings are given: this is the local stack of this checkout, ${directory}.`,
  )
  return { ...local, ...Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim())) }
}
