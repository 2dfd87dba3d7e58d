"""Hashes random passwords as other systems do, with libraries of Python: one JSON object a line.

Arguments: the number of rounds and a seed.
"""

import base64
import hashlib
import json
import random
import sys
import unicodedata

from argon2.low_level import Type, hash_secret
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from django.conf import settings
from passlib.hash import pbkdf2_sha256, pbkdf2_sha512, scrypt

settings.configure()
from django.contrib.auth.hashers import PBKDF2PasswordHasher  # noqa: E402

rounds, seed = int(sys.argv[1]), int(sys.argv[2])
chance = random.Random(seed)
letters = 'abcXYZ019 !"$%:.+/äßéœ漢字🙂ﬁ'


def text64(value):
    return base64.b64encode(value).decode()


def password():
    return ''.join(chance.choice(letters) for _ in range(chance.randint(1, 128)))


def salt(low=8, high=64):
    return chance.randbytes(chance.randint(low, high))


def iterations():
    return chance.randint(10_000, 20_000)


def of_passlib(algorithm, **options):
    return lambda word: {'hash': algorithm.using(**options).hash(word)}


def of_django(word):
    known = ''.join(chance.choice('abcdefGHIJ0123') for _ in range(chance.randint(8, 40)))
    return {'hash': PBKDF2PasswordHasher().encode(word, known, iterations())}


def of_argon2(kind):
    def make(word):
        memory, time, lanes = chance.choice([(1024, 3, 1), (4096, 2, 4), (8192, 1, 2)])
        size = chance.randint(16, 64)
        made = hash_secret(word.encode(), salt(), time, memory, lanes, size, kind)
        return {'hash': made.decode()}

    return make


def of_better_auth(word):
    known = salt(16, 16).hex()
    typed = unicodedata.normalize('NFKC', word).encode()
    key = hashlib.scrypt(typed, salt=known.encode(), n=16384, r=16, p=1, dklen=64, maxmem=2**26)
    return {'hash': f'{known}:{key.hex()}'}


def of_aspnet(name, function):
    def make(word):
        count, known = iterations(), salt(16, 16)
        key = hashlib.pbkdf2_hmac(name, word.encode(), known, count, 32)
        head = b''.join(number.to_bytes(4, 'big') for number in (function, count, len(known)))
        return {'hash': text64(b'\x01' + head + known + key)}

    return make


def of_keycloak(word):
    count, known = iterations(), salt(16, 16)
    key = hashlib.pbkdf2_hmac('sha512', word.encode(), known, count, 64)
    return {
        'keycloak': {
            'secretData': json.dumps({'value': text64(key), 'salt': text64(known)}),
            'credentialData': json.dumps({'algorithm': 'pbkdf2-sha512', 'hashIterations': count}),
        }
    }


def of_firebase(word):
    known, separator, signer = salt(8, 16), salt(1, 2), chance.randbytes(64)
    cost, blocks = chance.randint(12, 14), chance.randint(1, 8)
    key = hashlib.scrypt(
        word.encode(), salt=known + separator, n=2**cost, r=blocks, p=1, dklen=32, maxmem=2**26
    )
    cipher = Cipher(algorithms.AES(key), modes.CTR(bytes(16))).encryptor()
    return {
        'user': {'passwordHash': text64(cipher.update(signer)), 'salt': text64(known)},
        'parameters': {
            'signerKey': text64(signer),
            'saltSeparator': text64(separator),
            'rounds': blocks,
            'memoryCost': cost,
        },
    }


makers = {
    'Passlib, PBKDF2 with SHA-256': of_passlib(pbkdf2_sha256, rounds=10_000),
    'Passlib, PBKDF2 with SHA-512': of_passlib(pbkdf2_sha512, rounds=10_000, salt_size=32),
    'Passlib, scrypt': of_passlib(scrypt, rounds=12, parallelism=2),
    'Django': of_django,
    'argon2-cffi, Argon2id': of_argon2(Type.ID),
    'argon2-cffi, Argon2i': of_argon2(Type.I),
    'better-auth': of_better_auth,
    'ASP.NET Identity 3 with SHA-256': of_aspnet('sha256', 1),
    'ASP.NET Identity 3 with SHA-512': of_aspnet('sha512', 2),
    'Keycloak': of_keycloak,
    'Firebase': of_firebase,
}
for name, make in makers.items():
    for _ in range(rounds):
        word = password()
        print(json.dumps({'name': name, 'password': word, **make(word)}))
