import { subject } from '../subject.ts'
import { settings } from './settings.ts'

export const pullRequests = subject({
  name: 'pull-requests',
  buildsOn: ['codehost', 'sessions'],
  entities: () => import('./entities.ts'),
  operations: () => import('./operations.ts'),
  settings,
})
