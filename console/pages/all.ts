import type { Page } from '../view.ts'
import { dispute } from './disputes/dispute.ts'
import { disputes, reviews } from './disputes/list.ts'
import { crossChain, crossChainWaiting } from './money/cross-chain.ts'
import { paymentDays, payments } from './money/payments.ts'
import { postings } from './money/postings.ts'
import { run, runs } from './money/runs.ts'
import { now } from './now.ts'
import { health } from './operation/health.ts'
import { lanes } from './operation/lanes.ts'
import { logHeads } from './operation/log-heads.ts'
import { sourceItems, sources } from './operation/sources.ts'
import { webhooks } from './operation/webhooks.ts'
import { delegates, grants, serviceTokens } from './people/grants.ts'
import { wallet, wallets } from './people/wallets.ts'
import { sessions } from './sessions.ts'
import { job } from './work/job.ts'
import { jobs } from './work/jobs.ts'
import { session } from './work/session.ts'

/** Every page, in the order of the navigation. */
export const PAGES: readonly Page[] = [
  ...[now, disputes, dispute, reviews, sessions, session, jobs, job],
  ...[paymentDays, payments, postings, runs, run, crossChain, crossChainWaiting],
  ...[wallets, wallet, grants, serviceTokens, delegates],
  ...[health, lanes, sources, sourceItems, webhooks, logHeads],
]
