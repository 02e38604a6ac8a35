import socket

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragon_pipeline.adapters.web.addresses import PrivateAddress, is_public, public_socket

PRIVATE = (
    *("127.0.0.1", "127.8.9.10", "0.0.0.0", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1"),
    *("224.0.0.251", "239.1.1.1", "240.0.0.1", "255.255.255.255", "192.0.2.1", "198.18.0.1"),
    *("::1", "::", "fe80::1%eth0", "fc00::1", "fd12::1", "ff02::1", "2001:db8::1"),
    *("::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::7f00:1", "64:ff9b::a00:1", "2002:7f00:1::", "2001:0:7f00:1::"),
    *("fec0::1", "::7f00:1", "::ffff:0:a00:1", "64:ff9b:1::a00:1", "5f00::1"),
)


@pytest.mark.parametrize("address", PRIVATE)
def test_private_addresses_are_none_of_ours_however_they_are_written(address):
    assert not is_public(address)
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    with pytest.raises(PrivateAddress, match=PrivateAddress.words):
        public_socket((family, socket.SOCK_STREAM, 6, "", (address, 80)))


@pytest.mark.parametrize("address", ["8.8.8.8", "81.19.72.32", "2a00:1450:4010:c05::71", "::ffff:8.8.8.8", "64:ff9b::808:808"])
def test_public_addresses_are_connected_to(address):
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    public_socket((family, socket.SOCK_STREAM, 6, "", (address, 80))).close()


@given(st.ip_addresses(v=4))
def test_an_address_inside_another_is_as_public_as_by_itself(inner):
    assert is_public(f"64:ff9b::{inner}") == is_public(str(inner))
    assert not is_public(f"::ffff:{inner}") or is_public(str(inner))
