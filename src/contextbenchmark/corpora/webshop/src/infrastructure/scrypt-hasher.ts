import type { PasswordHasher } from "../application/ports";

/** The slow key derivation and the random source, handed in so that the module runs anywhere. */
export interface Crypto {
  scrypt(password: string, salt: string, cost: number): Promise<string>;
  randomHex(bytes: number): string;
}

/** Stored as algorithm$cost$salt$hash, so that the cost can be raised later without locking anybody out. */
export class ScryptHasher implements PasswordHasher {
  constructor(
    private readonly crypto: Crypto,
    private readonly cost = 16_384,
  ) {}

  async hash(password: string): Promise<string> {
    const salt = this.crypto.randomHex(16);
    const derived = await this.crypto.scrypt(password.normalize("NFKC"), salt, this.cost);
    return ["scrypt", this.cost, salt, derived].join("$");
  }

  async matches(password: string, stored: string): Promise<boolean> {
    const [algorithm, cost, salt, expected] = stored.split("$");
    if (algorithm !== "scrypt" || cost === undefined || salt === undefined || expected === undefined) {
      return false;
    }
    const derived = await this.crypto.scrypt(password.normalize("NFKC"), salt, Number(cost));
    return equalInConstantTime(derived, expected);
  }

  /** True when a stored hash was made with a lower cost than is used now. */
  needsRehash(stored: string): boolean {
    return Number(stored.split("$")[1] ?? 0) < this.cost;
  }
}

/** Looks at every character whatever differs, so that the time taken says nothing about the secret. */
export function equalInConstantTime(a: string, b: string): boolean {
  let difference = a.length ^ b.length;
  for (let index = 0; index < Math.max(a.length, b.length); index += 1) {
    difference |= (a.charCodeAt(index) || 0) ^ (b.charCodeAt(index) || 0);
  }
  return difference === 0;
}
