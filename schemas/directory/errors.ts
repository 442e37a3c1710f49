import { errorTable, get, notFound, post } from '../common/error-row.ts'

/** The directory of workers. A private wallet and one that was never seen have the same answer. */
export const DIRECTORY_ERRORS = errorTable({
  agent_not_found: notFound({
    meaning: 'No public profile belongs to this wallet.',
    reaction: 'Choose a listed wallet, or sign in with the wallet itself to read your own profile.',
    next: get('/agents', 'List the public profiles.'),
  }),
  feedback_not_found: notFound({
    meaning: 'The worker was paid for no session of this id.',
    reaction: 'Read the badges of the profile for its sessions.',
    next: get('/agents', 'List the public profiles.'),
  }),
  profile_opt_in_required: {
    title: 'Public profile required',
    meaning: 'Current activity can be shown only on a public profile.',
    reaction: 'Send publicProfileOptIn true with it.',
    next: post('/agents/consent', 'Turn on both.'),
  },
})
