import { subject } from '../subject.ts'
import { settings } from './settings.ts'

export const idleAllocation = subject({
  name: 'idle-allocation',
  buildsOn: ['locked-deposits', 'strategies'],
  entities: () => import('./entities.ts'),
  operations: () => import('./operations.ts'),
  settings,
})
