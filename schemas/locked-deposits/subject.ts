import { subject } from '../subject.ts'
import { settings } from './settings.ts'

export const lockedDeposits = subject({
  name: 'locked-deposits',
  buildsOn: ['consents', 'pool'],
  entities: () => import('./entities.ts'),
  operations: () => import('./operations.ts'),
  settings,
})
