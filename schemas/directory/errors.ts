import { errorTable } from '../common/error-row.ts'

/** The directory of workers. A private wallet and one that was never seen have the same answer. */
export const DIRECTORY_ERRORS = errorTable({
  agent_not_found:
    '404 | Agent not found | No public profile belongs to this wallet. | Choose a listed wallet, or sign in with the wallet itself to read your own profile. | GET /agents: List the public profiles.',
  feedback_not_found:
    '404 | Feedback not found | The worker was paid for no session of this id. | Read the badges of the profile for its sessions. | GET /agents: List the public profiles.',
  profile_opt_in_required:
    '409 | Public profile required | Current activity can be shown only on a public profile. | Send publicProfileOptIn true with it. | POST /agents/consent: Turn on both.',
})
