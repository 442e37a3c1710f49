import { z } from 'zod'
import { list } from '../common/setting-parsers.ts'

/** Repositories for which the service lists no work. Source: lifecycle, "Maintainer policy". */
const DENIED_REPOS =
  'bitcoin/bitcoin,ethereum/go-ethereum,openssl/openssl,python/cpython,rust-lang/rust,nodejs/node,golang/go,paritytech/polkadot-sdk,w3c/*,tc39/*'

export const settings = {
  /** Interval between two readings of an undecided pull request. */
  CODEHOST_PR_REVIEW_POLL_MINUTES: z.coerce.number().positive().default(30),
  /** Time from the submission of a pull request to its human review. */
  CODEHOST_PR_REVIEW_SLA_HOURS: z.coerce.number().positive().default(48),
  /** Maximum number of open pull requests in one repository, unless the job's policy names another. */
  MAINTAINER_OPEN_PR_CAP: z.coerce.number().int().min(1).default(3),
  /** Comma list of denied repositories, `owner/name` or `owner/*`. */
  MAINTAINER_REPO_DENYLIST: z.string().toLowerCase().default(DENIED_REPOS).transform(list),
}
