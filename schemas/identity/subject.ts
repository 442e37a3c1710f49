import { subject } from '../subject.ts'
import { settings } from './settings.ts'

export const identity = subject({
  name: 'identity',
  buildsOn: ['http'],
  entities: () => import('./entities.ts'),
  operations: () => import('./operations.ts'),
  settings,
})
