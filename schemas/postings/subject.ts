import { subject } from '../subject.ts'
import { settings } from './settings.ts'

export const postings = subject({
  name: 'postings',
  buildsOn: ['catalogue', 'claims', 'eligibility', 'accounts', 'verification', 'receipts', 'paid-verification'],
  entities: () => import('./entities.ts'),
  operations: () => import('./operations.ts'),
  settings,
})

/** Its rehearsals, which run a verifier. */
export const postingRehearsals = { ...postings, operations: () => import('./rehearsal-operations.ts') }
