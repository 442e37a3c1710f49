import { isProblem } from '../../src/problems.ts'
import { ingest } from '../admin/ingest.ts'
import { jobs, lane, lanes, sweep, template } from '../admin/lanes.ts'
import { items, sources, steer } from '../admin/sources.ts'
import type { Context } from '../context.ts'
import { usageError } from '../failures.ts'
import type { Report } from '../output/output.ts'

const HELP = 'agent-work help admin'
const FORBIDDEN = 403

interface Action {
  run: (context: Context) => Promise<Report>
  /** Arguments after its name; one in brackets can be left out. */
  arguments: readonly string[]
  options: readonly string[]
}

const ACTIONS: Readonly<Record<string, Action>> = {
  sources: { run: sources, arguments: [], options: [] },
  ingest: { run: ingest, arguments: ['PROVIDER'], options: ['create', 'limit', 'min-score', 'input'] },
  items: { run: items, arguments: ['[PROVIDER]'], options: ['outcome', 'limit'] },
  steer: { run: steer, arguments: ['PROVIDER', 'CHANGE'], options: ['dry', 'live', 'note', 'input'] },
  lanes: { run: lanes, arguments: [], options: [] },
  lane: { run: lane, arguments: ['LANE', 'CHANGE'], options: ['reason'] },
  template: { run: template, arguments: ['ID', 'CHANGE'], options: ['reason'] },
  sweep: { run: sweep, arguments: [], options: [] },
  jobs: { run: jobs, arguments: [], options: ['state', 'limit'] },
}

/** Throws for arguments and options of another action. */
const assertUse = (name: string, { arguments: taken, options }: Action, context: Context): void => {
  const [, ...given] = context.arguments
  const missing = taken[given.length]
  if (missing !== undefined && !missing.startsWith('[')) throw usageError(`admin ${name} needs ${missing}.`, HELP)
  if (given.length > taken.length) throw usageError(`admin ${name} has too many arguments.`, HELP)
  const all = Object.values(ACTIONS).flatMap((action) => action.options)
  const other = all.find((option) => context.options[option] !== undefined && !options.includes(option))
  if (other !== undefined) throw usageError(`admin ${name} takes no --${other}.`, HELP)
}

/** `admin`: sources of jobs, lanes, templates and the whole catalogue, for operators. */
export const admin = async (context: Context): Promise<Report> => {
  const [name = ''] = context.arguments
  const action = ACTIONS[name]
  // The parser has checked the choice.
  if (action === undefined) throw usageError('There is no such action.', HELP)
  assertUse(name, action, context)
  try {
    return await action.run(context)
  } catch (error) {
    if (isProblem(error) && error.status === FORBIDDEN)
      context.output.note('This command is for operators. The wallet that is signed in, or the token, is not allowed to do it.')
    throw error
  }
}
