import { subject } from '../subject.ts'
import { settings } from './settings.ts'

export const oauth = subject({
  name: 'oauth',
  buildsOn: ['identity', 'outbound'],
  entities: () => import('./entities.ts'),
  operations: () => import('./operations.ts'),
  settings,
})
