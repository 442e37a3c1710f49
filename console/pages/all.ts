import type { Page } from '../view.ts'
import { dispute } from './disputes/dispute.ts'
import { disputes, reviews } from './disputes/list.ts'
import { crossChain, crossChainWaiting } from './money/cross-chain.ts'
import { paymentDays, payments } from './money/payments.ts'
import { postings } from './money/postings.ts'
import { run, runs } from './money/runs.ts'
import { now } from './now.ts'
import { delegates, grants, serviceTokens } from './people/grants.ts'
import { wallet, wallets } from './people/wallets.ts'
import { sessions } from './sessions.ts'

/** Every page, in the order of the navigation. */
export const PAGES: readonly Page[] = [
  now,
  sessions,
  disputes,
  dispute,
  reviews,
  postings,
  paymentDays,
  payments,
  runs,
  run,
  crossChain,
  crossChainWaiting,
  wallets,
  wallet,
  grants,
  serviceTokens,
  delegates,
]
