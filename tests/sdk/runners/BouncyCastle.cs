using System.Runtime.InteropServices;

// Debian has no Bouncy Castle for Mono. This has the names that Latchkey.cs uses of it, and verifies with libsodium.

namespace Org.BouncyCastle.Crypto.Parameters
{
    public sealed class Ed25519PublicKeyParameters
    {
        public readonly byte[] Key = new byte[32];

        public Ed25519PublicKeyParameters(byte[] bytes, int start)
        {
            System.Array.Copy(bytes, start, Key, 0, Key.Length);
        }
    }
}

namespace Org.BouncyCastle.Crypto.Signers
{
    using Org.BouncyCastle.Crypto.Parameters;

    public sealed class Ed25519Signer
    {
        byte[] key;
        byte[] message;

        [DllImport("libsodium.so.23")]
        static extern int crypto_sign_verify_detached(byte[] signature, byte[] message, ulong size, byte[] key);

        public void Init(bool isForSigning, Ed25519PublicKeyParameters parameters)
        {
            key = parameters.Key;
        }

        public void BlockUpdate(byte[] bytes, int start, int count)
        {
            message = new byte[count];
            System.Array.Copy(bytes, start, message, 0, count);
        }

        public bool VerifySignature(byte[] signature)
        {
            return crypto_sign_verify_detached(signature, message, (ulong)message.Length, key) == 0;
        }
    }
}
