import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { workflowBundle } from '../../../support/workflow-bundle.ts'

const SCRIPT = fileURLToPath(new URL('../../../../workers/versions.ts', import.meta.url))

export interface Ended {
  code: number
  text: string
}

/** Runs the command of operators as the container of a build does, by default of this one. */
export const runVersions = async (env: Record<string, string>, ...args: string[]): Promise<Ended> => {
  const { codePath } = await workflowBundle()
  const ended = promisify(execFile)(process.execPath, [SCRIPT, ...args], {
    env: { PATH: process.env.PATH, WORKFLOW_BUNDLE: codePath, ...env },
  })
  return ended.then(
    ({ stdout }) => ({ code: 0, text: stdout }),
    ({ code, stdout, stderr }) => ({ code, text: `${stdout}${stderr}` }),
  )
}
