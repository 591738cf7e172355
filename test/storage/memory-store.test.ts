import { MemoryStore } from '../../shared/storage/memory-store.ts';
import { storeSuite } from './store-suite.ts';

storeSuite('MemoryStore', () => new MemoryStore());
