// A copy of the source tree with one more subject: an operation, a workflow with an activity, a loop, and an event of the chain that wakes it.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { files, ROOT } from './files.ts'

/** The files of the subject's own folders. */
const OWN: Readonly<Record<string, string>> = {
  'schemas/toys/subject.ts': `import { subject } from '../subject.ts'

export const toys = subject({ name: 'toys', buildsOn: ['chain'], operations: () => import('./operations.ts') })
`,
  'schemas/toys/operations.ts': `import { z } from 'zod'
import { operation, PUBLIC } from '../operations/operation.ts'

export const readToy = operation('readToy', 'GET /toy', {
  summary: 'Whether the toy runs.',
  description: 'The first deposit of anyone starts it.',
  tags: ['Platform'],
  auth: PUBLIC,
  responses: { 200: z.object({ running: z.boolean().describe('Whether its process runs.') }) },
})
`,
  'schemas/toys/process.ts': `import { defineQuery, defineSignal } from '@temporalio/workflow'

export const TOY_WORKFLOW_ID = 'toy/all'

export interface ToyActivities {
  /** Answers the number that it is given. */
  countToys(input: { seen: number }): Promise<number>
}

export const toySeen = defineSignal('toySeen')
export const toyTicked = defineSignal('toyTicked')
export const toyProgress = defineQuery<{ seen: number; ticks: number }>('toyProgress')
`,
  'activities/toys/subscriber.ts': `import { TASK_QUEUE } from '../../schemas/processes.ts'
import { TOY_WORKFLOW_ID, toySeen } from '../../schemas/toys/process.ts'
import type { Subscriber } from '../chain/follower/subscriber.ts'

const start = { taskQueue: TASK_QUEUE, workflowId: TOY_WORKFLOW_ID, args: [], staticSummary: 'Toy' }

export const toySubscriber: Subscriber = {
  events: { accounts: ['Deposited'] },
  findWakes: async (events) => events.map((cause) => ({ cause, workflow: 'toy', start, signal: toySeen })),
}
`,
  'workflows/toys/toy.ts': `import { condition, continueAsNew, proxyActivities, setHandler, workflowInfo } from '@temporalio/workflow'
import { type ToyActivities, toyProgress, toySeen, toyTicked } from '../../schemas/toys/process.ts'
import { RECORD_STEPS } from '../common/proxies.ts'

const records = proxyActivities<ToyActivities>(RECORD_STEPS)

export async function toy(): Promise<void> {
  let signals = 0
  let ticks = 0
  let seen = 0
  setHandler(toyProgress, () => ({ seen, ticks }))
  setHandler(toyTicked, () => {
    ticks += 1
  })
  setHandler(toySeen, () => {
    signals += 1
  })
  while (!workflowInfo().continueAsNewSuggested) {
    await condition(() => signals > seen)
    seen = await records.countToys({ seen: signals })
  }
  await continueAsNew()
}
`,
  'workers/toys/subject.ts': `import { startLoop } from '../../activities/common/loop.ts'
import { toySubscriber } from '../../activities/toys/subscriber.ts'
import { TOY_WORKFLOW_ID, type ToyActivities, toyTicked } from '../../schemas/toys/process.ts'
import type { WorkerSubject } from '../subjects.ts'

export const subject = {
  activities: (): ToyActivities => ({ countToys: async ({ seen }) => seen }),
  subscriber: toySubscriber,
  background: ({ send, logger }) => ({
    loops: [
      startLoop({
        round: () => send({ workflowId: TOY_WORKFLOW_ID, signal: toyTicked }),
        every: 500,
        onFailure: (error) => logger.warn({ err: error }, 'the toy could not be ticked'),
      }),
    ],
  }),
} satisfies WorkerSubject
`,
  'api/toys/handlers.ts': `import type { HandlersOf } from '../../schemas/operations/operation.ts'
import type * as operations from '../../schemas/toys/operations.ts'
import { TOY_WORKFLOW_ID } from '../../schemas/toys/process.ts'
import type { ApiDeps } from '../deps.ts'

export const createToyHandlers = ({ engine }: Pick<ApiDeps, 'engine'>): HandlersOf<typeof operations> => ({
  readToy: async () => ({ status: 200, body: { running: (await engine.findRunningRun(TOY_WORKFLOW_ID)) !== null } }),
})
`,
}

type Edit = readonly [before: string, after: string]

/** The edits outside its folders, each of a text that stands once in its file. */
const EDITS: Readonly<Record<string, readonly Edit[]>> = {
  'schemas/subjects.ts': [
    [
      "import { tools } from './tools/subject.ts'\n",
      "import { tools } from './tools/subject.ts'\nimport { toys } from './toys/subject.ts'\n",
    ],
    ['  crossChain,\n', '  crossChain,\n  toys,\n'],
  ],
  'workflows/index.ts': [
    [
      "export { verifierRun } from './verification/verifier-run.ts'\n",
      "export { toy } from './toys/toy.ts'\nexport { verifierRun } from './verification/verifier-run.ts'\n",
    ],
  ],
  'docs/architecture.md': [['| `shares` ', '| `toys` | toys |\n| `shares` ']],
}

/** Writes the copy, with the libraries of this checkout. Returns its folder, and the files in which it differs. */
export const copyWithToy = (): { root: string; written: readonly string[] } => {
  const root = mkdtempSync(join(tmpdir(), 'toy-subject-'))
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  for (const path of files()) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    cpSync(join(ROOT, path), join(root, path))
  }
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'))
  for (const [path, text] of Object.entries(OWN)) write(path, text)
  for (const [path, edits] of Object.entries(EDITS)) {
    const edited = edits.reduce(
      (text, [before, after]) => {
        if (text.split(before).length !== 2) throw new Error(`${path} has not once: ${before}`)
        return text.replace(before, after)
      },
      readFileSync(join(root, path), 'utf8'),
    )
    write(path, edited)
  }
  return { root, written: [...Object.keys(OWN), ...Object.keys(EDITS)] }
}
