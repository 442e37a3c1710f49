import type { Page } from '../view.ts'
import { now } from './now.ts'
import { health } from './operation/health.ts'
import { lanes } from './operation/lanes.ts'
import { logHeads } from './operation/log-heads.ts'
import { sourceItems, sources } from './operation/sources.ts'
import { webhooks } from './operation/webhooks.ts'
import { sessions } from './sessions.ts'
import { job } from './work/job.ts'
import { jobs } from './work/jobs.ts'
import { session } from './work/session.ts'

/** Every page, in the order of the navigation. */
export const PAGES: readonly Page[] = [now, sessions, session, jobs, job, lanes, sources, sourceItems, webhooks, logHeads, health]
