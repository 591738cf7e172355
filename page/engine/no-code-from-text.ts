// Imported before any schema is made: no text becomes code in the page, not even to find out whether it could.
import { config } from 'zod';

config({ jitless: true });
