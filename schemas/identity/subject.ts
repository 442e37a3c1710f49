import { subject } from '../subject.ts'
import { settings } from './settings.ts'

export const identity = subject({
  name: 'identity',
  buildsOn: ['http', 'outbound'],
  entities: () => import('./entities.ts'),
  operations: () => import('./operations.ts'),
  settings,
})

/** Its operations for operators, which stand at the end of the documents. */
export const identityAdmin = { ...identity, operations: () => import('./admin-operations.ts') }
