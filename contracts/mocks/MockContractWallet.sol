// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.36;

import {Signatures} from "../lib/Signatures.sol";

/// @title MockContractWallet
/// @notice A wallet of tests without a key of its own (EIP-1271): all its owners sign, in order.
contract MockContractWallet {
    bytes4 private constant VALID = 0x1626ba7e;
    bytes4 private constant INVALID = 0xffffffff;

    address[] private owners;

    constructor(address[] memory owners_) {
        owners = owners_;
    }

    /// @param signature one 65-byte signature per owner, concatenated
    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        if (owners.length == 0 || signature.length != owners.length * 65) return INVALID;
        for (uint256 i = 0; i < owners.length; i++) {
            if (Signatures.recover(hash, signature[i * 65:(i + 1) * 65]) != owners[i]) return INVALID;
        }
        return VALID;
    }
}
